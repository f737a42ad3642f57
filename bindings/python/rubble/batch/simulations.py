"""Jobs that simulate a scene file with some of its values changed."""

from __future__ import annotations

import collections
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import numpy

from .. import _api as api
from .._arrays import empty, pointer_to
from .._library import Error, IoFailed, c
from .._types import Any, Dict, List, Optional, Path, Sequence
from ..world import Body, Recording
from .dataset import VERSION, arrays_as_bytes, version_of_library
from .fractures import digest_of


class Simulation(collections.namedtuple("Simulation", "scene changes every film")):
    """A run of `rubble run`: the path of a scene, what is changed in it (pairs of a path in the document and a value
    as JSON), how many steps lie between poses (0: no poses), and whether the film is kept. `sweep()` makes them. Its
    file (numpy's .npz) holds

        pose_steps, pose_bodies, poses    when a body was where: step, index and generation, position and quaternion.
                                          Every body is there in the step in which it is first seen, and whenever it moved
        hits, hit_steps                   blows: both bodies and their parts, point, normal, speed, impulse, energy
        breaks, break_steps               what broke: parent, other, whether the parent survives, cause, point, normal,
                                          energy, radius
        fragments, break_starts           index and generation of new bodies; those of break i begin at break_starts[i]
        film                              the bytes of the .glb, where it is kept
        job                               the document, and what the program says of the run, as JSON
    """

    __slots__ = ()

    def document(self) -> Dict[str, Any]:
        """The scene with all changes."""
        scene = json.loads(pathlib.Path(self.scene).read_text())
        for path, value in self.changes:
            _set(scene, path, json.loads(value))
        return scene

    def key(self) -> str:
        """A hash of everything that the result depends on: the document, and the bytes of all files that it names."""
        document = self.document()
        files = [digest_of(path) for path in files_of(document, pathlib.Path(self.scene).parent)]
        settings = [VERSION, *version_of_library(), "simulation", document, files, self.every, self.film]
        return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:32]

    def describe(self) -> Dict[str, Any]:
        """What it is made of, as JSON can say it."""
        changes = {".".join(map(str, path)): json.loads(value) for path, value in self.changes}
        return {"scene": pathlib.Path(self.scene).name, "changes": changes, "every": self.every, "film": self.film}

    def make(self, folder: Optional[Path] = None) -> bytes:
        """Make it: the bytes of its file. The program works in a folder below `folder`."""
        return simulate(self, folder)


def sweep(scene: Path, changes: Optional[Dict[Any, Sequence[Any]]] = None, seeds: Any = None, steps: Optional[int] = None,
          every: int = 1, film: bool = False) -> List[Simulation]:
    """Simulations of a scene file with every combination of values.

    >>> sweep("wall.json", {"projectiles.0.velocity": [[0, 0, 20], [0, 0, 40]], "materials.brick.density": [1500, 2000]},
    ...       seeds=range(10))

    changes: by place in the document the values that it takes, one after the other; numbers count in lists. A place
    whose names have dots is a tuple. seeds: of everything random, or None for the scene's own. steps: how many, or None.
    Returns a list of jobs for run() and run_on_dask().
    """
    document = json.loads(pathlib.Path(scene).read_text())
    if not isinstance(document, dict):
        raise ValueError(f"{scene}: a scene is a JSON object")
    axes = []
    for place, values in (changes or {}).items():
        path = tuple(place.split(".")) if isinstance(place, str) else tuple(place)
        if isinstance(values, (str, bytes, dict)) or not hasattr(values, "__iter__"):
            raise TypeError(f"{place}: a list of values is needed, not {values!r:.80}")
        values = [_as_json(value, place) for value in values]
        if not values:
            raise ValueError(f"{place}: there is no value")
        _set(document, path, json.loads(values[0]))  # does the place exist?
        axes.append([(path, value) for value in values])
    if seeds is not None:
        axes.append([(("seed",), json.dumps(int(seed))) for seed in seeds])
    if steps is not None:
        axes.append([(("step_count",), json.dumps(int(steps)))])
    return [Simulation(str(scene), combination, int(every), bool(film)) for combination in itertools.product(*axes)]


def _as_json(value, place):
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError(f"{place}: JSON cannot say {value!r:.80}") from None


def _set(document, path, value):
    """Put a value into a document. The last name may be new; all others must be there."""
    place, at = "", document
    for name in path[:-1]:
        place = f"{place}.{name}" if place else str(name)
        at = _item(at, name, place)
    name, place = path[-1], ".".join(map(str, path))
    if isinstance(at, dict):
        at[name] = value
    else:
        _item(at, name, place)
        at[int(name)] = value


def _item(at, name, place):
    if isinstance(at, dict):
        if name in at:
            return at[name]
        raise ValueError(f"{place}: the scene has no '{name}' there; it has {', '.join(map(str, at)) or 'nothing'}")
    if not isinstance(at, list):
        raise ValueError(f"{place}: there is neither a list nor an object")
    if not str(name).isdigit() or int(name) >= len(at):
        raise ValueError(f"{place}: a number from 0 to {len(at) - 1} is needed" if at else f"{place}: the list is empty")
    return at[int(name)]


def files_of(document, folder):
    """Files that a scene reads, in the order in which it names them, and those that they name."""
    found, waiting = {}, [(document, pathlib.Path(folder))]
    while waiting:
        value, folder = waiting.pop(0)
        if isinstance(value, (dict, list)):
            inner = value.values() if isinstance(value, dict) else value
            waiting[:0] = [(item, folder) for item in inner]
            continue
        path = folder / value if isinstance(value, str) and "." in value and "\0" not in value else None
        if path is None or str(path) in found or not path.is_file():
            continue
        found[str(path)] = path
        if path.suffix in (".json", ".gltf"):
            try:
                waiting.append((json.loads(path.read_text()), path.parent))
            except ValueError:  # the program will say so
                pass
        elif path.suffix == ".obj":
            names = re.findall(r"^mtllib\s+(.+?)\s*$", path.read_text(errors="replace"), re.M)
            waiting += [(name, path.parent) for name in names]
    return list(found.values())


def program():
    """The program `rubble`: where RUBBLE_PROGRAM says, in this package, beside the library of RUBBLE_LIBRARY, or
    where the system looks."""
    told = os.environ.get("RUBBLE_PROGRAM")
    if told:
        return told
    name = "rubble.exe" if os.name == "nt" else "rubble"
    places = [pathlib.Path(__file__).parent.parent / "lib" / name]
    if os.environ.get("RUBBLE_LIBRARY"):
        library = pathlib.Path(os.environ["RUBBLE_LIBRARY"]).absolute()
        folder = library if library.is_dir() else library.parent
        places += [folder / "tools" / name, folder.parent / "bin" / name, folder / "bin" / name]
    for place in places:
        if place.is_file():
            return str(place)
    found = shutil.which(name)
    if not found:
        raise FileNotFoundError("the program `rubble` was not found; install it, or set RUBBLE_PROGRAM to it")
    return found


def _run_program(arguments, document, folder):
    """Run the program on a scene, which it reads as if it were a file of `folder`."""
    command = [program(), "run", "-", *arguments, "--quiet"]
    if shutil.which("setpriv"):  # ends with this process, whatever ends it
        command = ["setpriv", "--pdeathsig", "KILL", *command]
    done = subprocess.run(command, input=json.dumps(document).encode(), capture_output=True, cwd=folder, check=False)
    said = done.stderr.decode("utf-8", "replace").strip()
    said = said[len("rubble: "):] if said.startswith("rubble: ") else said
    if done.returncode < 0:
        raise RuntimeError(f"the program was ended by signal {-done.returncode}")
    if done.returncode:
        if "memory" in said:
            raise MemoryError(said)
        raise ValueError(said or f"the program ended with status {done.returncode}")


class _Tables:
    """What a replay shows, row by row."""

    def __init__(self, every):
        self.every, self.known = every, numpy.empty(0, numpy.uint64)
        self.pose_steps, self.pose_bodies, self.poses, self.window = [], [], [], []
        self.hits, self.hit_steps = [], []
        self.breaks, self.break_steps, self.break_starts, self.fragments = [], [], [0], []

    def take(self, world, step):
        self.window.append(numpy.concatenate((self._unmoved(world), _packed(world.moves(), MOVE))))
        if step % self.every == 0:
            self._sample(step)
        hits = _packed(world.hits, HIT)
        self.hits.append(hits)
        self.hit_steps.append(numpy.full(len(hits), step, numpy.int32))
        for event in world.fractures:
            ids = [(body.id.index, body.id.generation) if body else (0, 0) for body in (event.parent, event.other)]
            self.breaks.append((*ids, event.survives, int(event.cause), tuple(event.point), tuple(event.normal), event.energy, event.radius))
            self.break_steps.append(step)
            self.fragments += [(body.id.index, body.id.generation) for body in event.new_bodies]
            self.break_starts.append(len(self.fragments))

    def _unmoved(self, world):
        """Bodies that are new, where they are: those that do not move are in no list of moves."""
        ids = empty(api.rbl_body_id, len(world))
        ids = ids[:c.rbl_world_get_bodies(world.pointer, pointer_to(ids, api.rbl_body_id), len(ids))]
        codes = ids[:, 0].astype(numpy.uint64) << numpy.uint64(32) | ids[:, 1]
        new = ids[~numpy.isin(codes, self.known)]
        self.known = codes
        moves = numpy.empty(len(new), MOVE)
        moves["body"] = new
        for i, id in enumerate(new.tolist()):
            moves["pose"][i] = Body(world, api.rbl_body_id(*id)).pose
        return moves

    def _sample(self, step):
        """The last pose of each body that moved or came since the last sample."""
        moves = numpy.concatenate(self.window)
        self.window = []
        if len(moves):  # the last pose of each
            _, last = numpy.unique(moves["body"][::-1], axis=0, return_index=True)
            moves = moves[numpy.sort(len(moves) - 1 - last)]
        self.pose_steps.append(numpy.full(len(moves), step))
        self.pose_bodies.append(moves["body"])
        self.poses.append(moves["pose"])

    def arrays(self, last_step):
        if self.window:
            self._sample(last_step)
        return {
            "pose_steps": _joined(self.pose_steps, numpy.int32, (0,)),
            "pose_bodies": _joined(self.pose_bodies, numpy.uint32, (0, 2)),
            "poses": _joined(self.poses, numpy.float32, (0, 7)),
            "hits": numpy.concatenate(self.hits) if self.hits else numpy.empty(0, HIT),
            "hit_steps": _joined(self.hit_steps, numpy.int32, (0,)),
            "breaks": numpy.array(self.breaks, BREAK), "break_steps": numpy.array(self.break_steps, numpy.int32),
            "break_starts": numpy.array(self.break_starts, numpy.int32),
            "fragments": numpy.array(self.fragments, numpy.uint32).reshape(-1, 2),
        }


# Records without gaps: what is in a gap is anything.
MOVE = numpy.dtype([("body", numpy.uint32, 2), ("pose", numpy.float32, 7)])
HIT = numpy.dtype([("body_a", numpy.uint32, 2), ("body_b", numpy.uint32, 2), ("part_a", numpy.int32), ("part_b", numpy.int32),
                   ("point", numpy.float32, 3), ("normal", numpy.float32, 3), ("speed", numpy.float32), ("impulse", numpy.float32),
                   ("energy", numpy.float32)])
BREAK = numpy.dtype([("parent", numpy.uint32, 2), ("other", numpy.uint32, 2), ("survives", numpy.bool_), ("cause", numpy.int32),
                     ("point", numpy.float32, 3), ("normal", numpy.float32, 3), ("energy", numpy.float32), ("radius", numpy.float32)])


def _packed(records, kind):
    """The fields of a kind from records that have more, and gaps."""
    packed = numpy.empty(len(records), kind)
    for name in kind.names:
        packed[name] = records[name]
    return packed


def _joined(rows, kind, shape):
    return numpy.concatenate(rows).astype(kind) if rows else numpy.empty(shape, kind)


def simulate(job: Any, folder: Optional[Path] = None) -> bytes:
    """Make a job: the bytes of its file."""
    document = job.document()
    if folder is not None:
        folder = pathlib.Path(folder) / "tmp"
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        work = pathlib.Path(work).absolute()
        arguments = ["-o", str(work / "film.glb"), "--json", str(work / "result.json")]
        if job.every > 0:
            arguments += ["--record", str(work / "run.rblr")]
        _run_program(arguments, document, pathlib.Path(job.scene).absolute().parent)
        result = json.loads((work / "result.json").read_text())
        arrays = {}
        if job.every > 0:
            arrays = _replay((work / "run.rblr").read_bytes(), job.every, result["state"])
        if job.film:
            arrays["film"] = numpy.frombuffer((work / "film.glb").read_bytes(), numpy.uint8)
    result = {name: value for name, value in result.items() if not name.endswith("_ms")}  # what depends on the job alone
    return arrays_as_bytes({"document": document, "result": result}, **arrays)


def _replay(recording, every, state):
    """Poses and events of a recording."""
    tables, step, digest = _Tables(every), 0, None
    for world, report in Recording(data=recording)._worlds((), (), None, ()):
        if report is None:
            continue
        if report.differs:
            raise Error(f"step {report.step}: the library and the program `rubble` are of different versions")
        step, digest = report.step, report.hash
        tables.take(world, step)
    if step and f"{digest:016x}" != state:
        raise IoFailed(f"the recording ends in state {digest:016x} and not in {state}")
    return tables.arrays(step)
