#!/usr/bin/env python3
"""How much slower than C is Python?

usage: bindings/python/bench/compare.py BUILD [--quick] [batch] [step] [worlds]

batch   fractures per second and core: the program `rubble fracture`, rubble.batch on processes and on dask, and a C
        loop that makes the same calls and keeps the mesh (reference.c). In turn, in rounds, by processor time of all
        processes that work, and by time on the clock with two at once
step    a step of 4,000 bodies with all poses read as numpy, against the same in C: two equal worlds in one process,
        step by step in turn, by processor time
worlds  small worlds that are made, stepped and destroyed, per second and core, one after the other and in threads
"""

import concurrent.futures
import ctypes
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release").resolve()
QUICK = "--quick" in sys.argv  # does it run at all?
os.environ.setdefault("RUBBLE_LIBRARY", str(BUILD))
sys.path.insert(0, str(HERE.parent))
os.environ["PYTHONPATH"] = str(HERE.parent)

import rubble  # noqa: E402
from rubble import api, batch  # noqa: E402
from rubble._arrays import empty, pointer_to  # noqa: E402


def compile_reference(work):
    """reference.c as a program and as a library."""
    folders = [BUILD, BUILD / "io"]
    flags = ["-O3", "-std=c17", f"-I{HERE.parents[2] / 'include'}"] + [f"-L{f}" for f in folders] + [f"-Wl,-rpath,{f}" for f in folders]
    program, library = work / "reference", work / "reference.so"
    for output, more in ((program, []), (library, ["-shared", "-fPIC"])):
        subprocess.run(["cc", *flags, *more, str(HERE / "reference.c"), "-o", str(output), "-lrubble-io", "-lrubble"], check=True)
    return program, library


# --- batch ---------------------------------------------------------------------------------------

def used():
    """Processor time of children that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(work):
    """Seconds on the clock and of the processor that something takes in child processes and here."""
    began, spent, here = time.monotonic(), used(), time.process_time()
    work()
    return time.monotonic() - began, used() - spent + time.process_time() - here


def both(commands):
    """Run commands at once."""
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    if any([process.wait() for process in running]):
        sys.exit("a command failed")


def compare_batch(work, program, count=400, rounds=3, cells=50):
    mesh = work / "vase.obj"
    rubble.Mesh.make("vase").save(mesh)
    tool = BUILD / "tools" / "rubble"

    def by_c(first, folder):
        folder.mkdir()
        both([[str(program), str(mesh), str(cells), str(first + i), str(first + count), "2", str(folder)] for i in range(2)])

    def by_program(first, folder):
        folder.mkdir()
        loop = 'for s in $(seq "$1" 2 "$2"); do "$3" fracture "$4" --output "$5/$s.glb" --cells "$6" --seed "$s" --quiet || exit 1; done'
        both([["bash", "-c", loop, "loop", str(first + i), str(first + count - 1), str(tool), str(mesh), str(folder), str(cells)] for i in range(2)])

    def by_processes(first, folder):
        check(batch.run(batch.jobs_of([mesh], range(first, first + count), cells=cells), folder, workers=2))

    def check(progress):
        if len(progress.made) != count:
            sys.exit(f"{len(progress.made)} of {count} were made")

    variants = {"rubble fracture": by_program, "processes": by_processes, "C loop": by_c}
    cluster = client = None
    try:
        if QUICK:
            raise ImportError
        from dask.distributed import Client, LocalCluster
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=40)
        client = Client(cluster)
        variants["dask"] = lambda first, folder: check(batch.run_on_dask(client, batch.jobs_of([mesh], range(first, first + count), cells=cells), folder))
    except ImportError:
        print("dask.distributed: not measured")
    seconds = {name: [] for name in variants}
    for i in range(rounds + 1):
        for name, work_of in variants.items():
            folder = work / f"{name}-{i}"
            if name == "dask":
                began, spent = time.monotonic(), dask_used(client)
                work_of(1000 * i, folder)
                figures = time.monotonic() - began, dask_used(client) - spent
            else:
                figures = timed(lambda: work_of(1000 * i, folder))
            if i > 0:  # the first round starts workers and fills caches
                seconds[name].append(figures)
            shutil.rmtree(folder)
    if client is not None:
        client.close()
        cluster.close()
    print(f"fractures of a vase into {cells} cells, {count} in each of {rounds} rounds, two processes at once")
    print(f"{'':16} {'per s of processor':>20} {'ratio':>6} {'per s':>8} {'ratio':>6}")
    base = {}
    for name, figures in seconds.items():
        clock, processor = (count / statistics.median(column) for column in zip(*figures))
        base.setdefault("clock", clock), base.setdefault("processor", processor)
        print(f"{name:16} {processor:20.1f} {processor / base['processor']:6.2f} {clock:8.1f} {clock / base['clock']:6.2f}")


def dask_used(client):
    """Processor time of the workers of a cluster and of their processes."""
    return sum(client.run(_used_by_worker).values())


def _used_by_worker():
    import os
    ticks, me = os.sysconf("SC_CLK_TCK"), os.getpid()
    total = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(name) == me or int(fields[1]) == me:
            total += sum(map(int, fields[11:15]))  # its own, and of children that have ended
    return total / ticks


# --- step ----------------------------------------------------------------------------------------

def pile(count):
    """Boxes that fall onto a floor."""
    world = rubble.World()
    world.add(rubble.Collider("box", half_size=(40, 0.5, 40)), kind="static", position=(0, -0.5, 0))
    box = rubble.Collider("box", half_size=(0.2, 0.15, 0.25))
    for i in range(count):
        layer, place = divmod(i, 400)
        world.add(box, position=(0.7 * (place % 20) - 7 + 0.03 * layer, 0.4 + 0.5 * layer, 0.7 * (place // 20) - 7))
    return world


def compare_step(library, count=4000, steps=240):
    reference = ctypes.CDLL(str(library)).step_and_read
    reference.argtypes = [ctypes.POINTER(api.rbl_world), ctypes.c_float, ctypes.POINTER(api.rbl_move_event), ctypes.c_int]
    ours, theirs = pile(count), pile(count)
    buffer = empty(api.rbl_move_event, count)
    place = pointer_to(buffer, api.rbl_move_event)
    python, c, most = [], [], 0

    def by_python():
        began = time.process_time_ns()
        ours.step()
        poses = ours.moves()["pose"]
        python.append(time.process_time_ns() - began)
        return len(poses)

    def by_c():
        began = time.process_time_ns()
        reference(theirs.pointer, 1.0 / 60.0, place, count)
        c.append(time.process_time_ns() - began)

    for step in range(steps):
        if step % 2:
            by_c()
            most = max(most, by_python())
        else:
            most = max(most, by_python())
            by_c()
    assert ours.hash == theirs.hash and most == count
    # A step costs now more and now less: what counts is the difference of the same steps.
    extra = statistics.median(a - b for a, b in zip(python, c))
    mean = statistics.mean(c)
    print(f"a step of {count} bodies with all poses: {mean / 1e6:.3f} ms in C, {extra / 1e3:+.1f} us in Python "
          f"(median of {steps} steps): {100 * extra / mean:+.2f} %; sums {sum(python) / sum(c):.4f}")


# --- worlds --------------------------------------------------------------------------------------

def one_world(asset, stone, floor, ball, number, steps=60):
    with rubble.World() as world:
        world.add(floor, kind="static", position=(0, -0.5, 0))
        for i in range(4):
            world.add(asset, position=(0, 0.25 + 0.5 * i, 0), material=stone)
        world.add(ball, position=(-2, 0.3 + 0.013 * (number % 100), 0.01 * (number % 17)), velocity=(4 + 0.16 * (number % 100), 1, 0))
        world.step(count=steps)
        return world.hash


def compare_worlds(count=200):
    asset = rubble.Mesh.make("box", size=(0.5, 0.5, 0.5)).prepare()
    stone, floor = rubble.Material.preset("stone"), rubble.Collider("box", half_size=(20, 0.5, 20))
    shared = asset, stone, floor, rubble.Collider("sphere", radius=0.2)
    hashes = {}
    for threads in (1, 2):
        began, spent = time.monotonic(), time.process_time()
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            hashes[threads] = list(pool.map(lambda i: one_world(*shared, i), range(count)))
        clock, processor = time.monotonic() - began, time.process_time() - spent
        print(f"{count} worlds of 60 steps in {threads} thread{'s' * (threads > 1)}: {count / processor:.1f} per second and core, {count / clock:.1f} per second")
    assert hashes[1] == hashes[2] and len(set(hashes[1])) > count / 2


def main():
    wanted = [name for name in sys.argv[2:] if name != "--quick"] or ["batch", "step", "worlds"]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        program, library = compile_reference(work)
        if "step" in wanted:
            compare_step(library, *(500, 20) if QUICK else ())
        if "worlds" in wanted:
            compare_worlds(*(10,) if QUICK else ())
        if "batch" in wanted:
            compare_batch(work, program, *(10, 1) if QUICK else ())


if __name__ == "__main__":
    main()
