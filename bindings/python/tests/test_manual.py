"""The Python blocks of docs/manual.md run as they are written."""

import pathlib
import re


def test_manual(tmp_path, monkeypatch):
    page = pathlib.Path(__file__).resolve().parents[3] / "docs" / "manual.md"
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.S | re.M)
    assert blocks
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, "manual.md", "exec"), {})
