"""scripts/check_unnamed.py: a name that two files of one unity build define in unnamed namespaces is found."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

CHECK = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "check_unnamed.py"


def check(root: pathlib.Path, lists: str, **sources: str) -> str:
    """What it says of a layer `core` with these files, by name, whose unnamed namespace holds that text."""
    (root / "core" / "src").mkdir(parents=True)
    (root / "core" / "CMakeLists.txt").write_text(lists)
    for name, text in sources.items():
        (root / "core" / "src" / f"{name}.cpp").write_text(f"namespace {{\n\n{text}\n\n}}  // namespace\n")
    result = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
    assert (result.returncode == 0) == (result.stderr == "")
    return result.stderr


UNITY = "cuprum_unity(cuprum_core)\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("int size_of(int x) {\n    return x;\n}", "std::string size_of(const char* x) {\n    return x;\n}"),
        ("template <class T>\nT& size_of(T& x) {\n}", "constexpr int size_of = 1;"),
        ("struct size_of {\n};", "enum class size_of { a };"),
        ("std::atomic<int> size_of{0};", "int size_of[4];"),
        ("[[noreturn]] void size_of(int x) {\n}", "const auto size_of = [] {};"),
    ],
)
def test_a_name_in_two_files_is_named_with_them(tmp_path: pathlib.Path, first: str, second: str) -> None:
    said = check(tmp_path, UNITY, first=first, second=second)
    assert "'size_of' is defined in the unnamed namespaces of core/src/first.cpp and core/src/second.cpp" in said


def test_what_is_used_alike_or_named_inside_is_no_definition(tmp_path: pathlib.Path) -> None:
    text = "int {0}(int x) {{\n    int count = size_of(x);\n    return count;\n}}"
    assert check(tmp_path, UNITY, first=text.format("first"), second=text.format("second")) == ""


def test_a_file_that_is_compiled_alone_may_share_a_name(tmp_path: pathlib.Path) -> None:
    text = "int size_of(int x) {\n}"
    assert check(tmp_path, "cuprum_unity(cuprum_core ALONE src/first.cpp)\n", first=text, second=text) == ""


def test_a_project_without_such_targets_is_no_success(tmp_path: pathlib.Path) -> None:
    assert "no CMakeLists.txt calls cuprum_unity" in check(tmp_path, "")


def test_a_name_that_hides_a_headers_function_is_named(tmp_path: pathlib.Path) -> None:
    (tmp_path / "core" / "src").mkdir(parents=True)
    (tmp_path / "core" / "src" / "size.hpp").write_text("/// Bytes.\nint size_of(int x);\n")
    (tmp_path / "core" / "src" / "a.cpp").write_text(
        "namespace {\n\nint size_of(const char* x) {\n}\n\n}  // namespace\n"
    )
    (tmp_path / "core" / "CMakeLists.txt").write_text(UNITY)
    result = subprocess.run([sys.executable, CHECK, tmp_path], capture_output=True, text=True, check=False)
    assert (result.returncode, "'size_of' in the unnamed namespace of core/src/a.cpp hides" in result.stderr) == (
        1,
        True,
    )
