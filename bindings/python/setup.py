"""Put the shared libraries and the program into the package: those of RUBBLE_LIBRARY, or built by CMake from this tree."""

import os
import pathlib
import shutil
import subprocess

from setuptools import setup
try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70
    from wheel.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
NAMES = ("librubble.so", "librubble-io.so")


def find(folder):
    """The real files behind the names, wherever below the folder they are."""
    found = {name: next(iter(sorted(folder.rglob(name))), None) for name in NAMES}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise SystemExit(f"{folder} has no {' and no '.join(missing)}")
    return {name: path.resolve() for name, path in found.items()}


class build_with_library(build_py):
    def run(self):
        super().run()
        told = os.environ.get("RUBBLE_LIBRARY")
        if told:
            folder = pathlib.Path(told)
        else:
            folder = pathlib.Path(self.get_finalized_command("build").build_temp).resolve() / "library"
            subprocess.run(["cmake", "-S", str(SOURCE), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DRBL_TESTS=OFF",
                            "-DRBL_EXAMPLES=OFF", "-DRBL_PEERS=OFF"], check=True)
            subprocess.run(["cmake", "--build", str(folder), "-j", str(os.cpu_count() or 1), "--target", "rubble_shared",
                            "rubble_io_shared", "rubble_program"], check=True)
        target = pathlib.Path(self.build_lib) / "rubble" / "lib"
        target.mkdir(parents=True, exist_ok=True)
        for name, path in find(folder).items():
            shutil.copyfile(path, target / name)
        for place in ("tools/rubble", "bin/rubble", "../bin/rubble"):  # which runs the simulations of batches
            if (folder / place).is_file():
                shutil.copy(folder / place, target / "rubble")
                break


class wheel_of_platform(bdist_wheel):
    """A wheel for any Python 3 of this platform: the library is C, and ctypes loads it."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"build_py": build_with_library, "bdist_wheel": wheel_of_platform})
