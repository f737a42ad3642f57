"""The generated layer: nothing forgotten, every struct as large as in C."""

import ctypes
import pathlib
import re
import shutil
import subprocess

import pytest

import rubble
from rubble import api

ROOT = pathlib.Path(__file__).resolve().parents[3]
INCLUDE = ROOT / "include"


def test_every_function_of_the_headers_is_here_or_left_out_with_a_reason():
    declared = set()
    for path in INCLUDE.glob("rubble/*.h"):
        declared |= set(re.findall(r"\b(rbl_[a-z0-9_]+)\(", " ".join(re.findall(r"^RBL_API[^;]+;", path.read_text(), re.M))))
    assert len(declared) > 400
    missing = [name for name in declared if name not in api.FUNCTIONS and name not in api.LEFT_OUT]
    assert missing == []
    assert all(reason for reason in api.LEFT_OUT.values())
    for name in api.FUNCTIONS:
        assert getattr(rubble.c, name).__doc__ is not None


def test_the_generated_file_is_what_the_headers_say():
    if not shutil.which("clang"):
        pytest.skip("clang is missing: the generated file was not compared with the headers")
    subprocess.run([str(ROOT / "bindings/python/generate"), "--check"], check=True)


def test_structs_are_as_large_as_in_c(tmp_path):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler: sizes were not compared")
    structs = [name for name in dir(api) if name.startswith("rbl_") and isinstance(getattr(api, name), type)
               and issubclass(getattr(api, name), ctypes.Structure) and hasattr(getattr(api, name), "_fields_")]
    assert len(structs) > 100
    lines = [f"#include <rubble/{path.name}>" for path in INCLUDE.glob("rubble/*.h")] + ["#include <stdio.h>", "int main(void) {"]
    for name in structs:
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field, _ in getattr(api, name)._fields_:
            lines.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
    source = tmp_path / "sizes.c"
    source.write_text("\n".join(lines + ["}", ""]))
    subprocess.run([compiler, f"-I{INCLUDE}", str(source), "-o", str(tmp_path / "sizes")], check=True)
    for line in subprocess.run([str(tmp_path / "sizes")], capture_output=True, text=True, check=True).stdout.splitlines():
        name, size = line.split()
        struct, _, field = name.partition(".")
        kind = getattr(api, struct)
        assert int(size) == (getattr(kind, field).offset if field else ctypes.sizeof(kind)), name


def test_the_programs_of_the_manual_run(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "python.md").read_text()
    programs = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    assert len(programs) == 3
    monkeypatch.chdir(tmp_path)
    rubble.Mesh.make("vase").save("vase.obj")
    shutil.copy(ROOT / "scenes" / "wall.json", "wall.json")
    names = {}  # the second goes on with the world of the first
    for program in programs:
        exec(compile(program, "python.md", "exec"), names)
    assert "fragments" in capsys.readouterr().out
    assert len(list(tmp_path.glob("piece-*.obj"))) > 10
    assert all((tmp_path / name).stat().st_size > 10000 for name in ("vase.html", "vase.glb"))
