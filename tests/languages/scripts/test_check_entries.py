"""The check of entry files must find a function that is too long, and count statements as a reader would."""

from __future__ import annotations

import pathlib
import subprocess
import sys

CHECK = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "check_entries.py"


def run_check(root: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(CHECK), str(root), *arguments], capture_output=True, text=True, check=False
    )


def write_entries(root: pathlib.Path, text: str) -> None:
    folder = root / "simulator" / "driver" / "stream"
    folder.mkdir(parents=True)
    (folder / "entry_stream.cpp").write_text(text, encoding="utf-8")


def entry(statements: int) -> str:
    body = "        one();\n" * statements
    call = f'    return entry("cuStreamQuery", [&] {{\n{body}    }});\n'
    return "CUresult CUDAAPI cuStreamQuery(CUstream stream) {\n" + call + "}\n"


def test_an_entry_of_ten_statements_passes(tmp_path: pathlib.Path) -> None:
    write_entries(tmp_path, entry(10))
    assert run_check(tmp_path).returncode == 0


def test_a_longer_entry_is_named(tmp_path: pathlib.Path) -> None:
    write_entries(tmp_path, entry(11))
    result = run_check(tmp_path)
    assert result.returncode == 1
    assert "simulator/driver/stream/entry_stream.cpp: cuStreamQuery has 11 statements" in result.stdout


def test_a_helper_in_an_entry_file_counts_as_well(tmp_path: pathlib.Path) -> None:
    helper = "void help(const Stream& stream, Options options = {}) {\n" + "    one();\n" * 11 + "}\n"
    write_entries(tmp_path, "namespace {\n\n" + helper + "\n}  // namespace\n\n" + entry(1))
    assert "help has 11 statements" in run_check(tmp_path).stdout


def test_comments_texts_and_the_head_of_a_loop_are_no_statements(tmp_path: pathlib.Path) -> None:
    text = (
        'void help(int count) {\n    for (int k = 0; k < count; ++k) {\n        say("a; b");  // one; two\n    }\n}\n'
    )
    write_entries(tmp_path, text)
    assert run_check(tmp_path, "--list").stdout.split()[:2] == ["1", "help"]


def test_a_tree_without_entries_is_refused(tmp_path: pathlib.Path) -> None:
    assert run_check(tmp_path).returncode == 1
