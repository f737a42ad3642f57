"""The generated layer: nothing forgotten, every struct as large as in C."""

import ast
import ctypes
import inspect
import pathlib
import re
import shutil
import subprocess
import typing

import pytest

import rubble
import rubble.batch
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


def public_functions():
    """Functions, and methods and properties of classes, that scripts are meant to call."""
    for module in (rubble, rubble.batch):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing
            elif inspect.isclass(thing) and thing.__module__.startswith("rubble") and not issubclass(thing, Exception):
                yield f"{module.__name__}.{name}", thing
                for cls in thing.__mro__:
                    for inner, value in vars(cls).items() if cls.__module__.startswith("rubble") else ():
                        value = value.__func__ if isinstance(value, classmethod) else value
                        value = value.fget if isinstance(value, property) else value
                        if inspect.isfunction(value) and (inner == "__init__" or not inner.startswith("_")):
                            yield f"{module.__name__}.{cls.__name__}.{inner}", value


def test_everything_public_has_types_and_a_docstring():
    names = {**vars(typing), **{name: getattr(rubble, name) for name in rubble.__all__}, **vars(rubble.batch), **vars(rubble._types)}
    seen = 0
    for name, thing in public_functions():
        assert name.endswith("__init__") or (thing.__doc__ or "").strip(), f"{name} has no docstring"
        if inspect.isclass(thing):
            continue
        signature = inspect.signature(thing)
        missing = [p for p in signature.parameters.values() if p.annotation is p.empty and p.name not in ("self", "cls")]
        assert not missing and signature.return_annotation is not signature.empty, f"{name}{signature} has no types"
        typing.get_type_hints(thing, names)  # the names are there
        seen += 1
    assert seen > 100


def test_editors_know_every_c_function_and_field():
    tree = ast.parse((ROOT / "bindings" / "python" / "rubble" / "_api.pyi").read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in classes["Functions"].body if isinstance(node, ast.FunctionDef)}
    assert set(functions) == set(api.FUNCTIONS)
    for name, node in functions.items():
        assert len(node.args.posonlyargs + node.args.args) == 1 + len(api.FUNCTIONS[name][2]), name
    fields = {node.target.id for node in classes["rbl_body_def"].body if isinstance(node, ast.AnnAssign)}
    assert fields == {name for name, _ in api.rbl_body_def._fields_}
    assert (ROOT / "bindings" / "python" / "rubble" / "py.typed").exists()
