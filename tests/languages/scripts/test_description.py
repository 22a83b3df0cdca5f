"""The description of the C ABI, from which much is generated, is what a C compiler reads in the same headers."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

import clang.cindex  # type: ignore[import-untyped]
import pytest
from clang.cindex import CursorKind

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "capi" / "generator"), str(ROOT / "swig" / "generator")]

import adapted  # noqa: E402
import description  # noqa: E402

INCLUDE = ROOT / "capi" / "include"


@pytest.fixture(scope="module")
def declarations() -> list[clang.cindex.Cursor]:
    source = "".join(f"#include <cuprum/capi/{header}.h>\n" for header in description.HEADERS)
    # The libclang wheel has no stdint.h of its own; the system compiler's does.
    builtin = subprocess.run(["cc", "-print-file-name=include"], check=True, capture_output=True, text=True).stdout
    unit = clang.cindex.Index.create().parse(
        "all.c", args=["-std=c99", f"-I{INCLUDE}", "-isystem", builtin.strip()], unsaved_files=[("all.c", source)]
    )
    assert not list(unit.diagnostics)
    return [each for each in unit.cursor.get_children() if str(each.location.file).startswith(str(INCLUDE))]


def plain(type_: str) -> str:
    return type_.replace(" *", "*").replace("*const", "* const")


def test_every_header_is_read() -> None:
    assert {f"{header}.h" for header in description.HEADERS} == {path.name for path in description.FOLDER.iterdir()}


def test_functions(declarations: list[clang.cindex.Cursor]) -> None:
    expected = {
        each.spelling: [(argument.spelling, plain(argument.type.spelling)) for argument in each.get_arguments()]
        for each in declarations
        if each.kind == CursorKind.FUNCTION_DECL
    }
    found = {
        function.name: [(each.name, plain(each.type)) for each in function.parameters]
        for function in description.load().functions
    }
    assert len(found) > 130
    assert found == expected


def test_structures(declarations: list[clang.cindex.Cursor]) -> None:
    expected = {}
    for each in declarations:
        if each.kind == CursorKind.STRUCT_DECL and each.is_definition():
            fields = [field for field in each.get_children() if field.kind == CursorKind.FIELD_DECL]
            expected[each.spelling] = [
                (f.spelling, plain(f.type.spelling)) for f in fields if "union" not in f.type.spelling
            ]
    found = {
        struct.name: [(field.name, plain(field.type)) for field in struct.fields if field.type != "union"]
        for struct in description.load().structs.values()
    }
    assert found == expected


def test_constants_and_handles(declarations: list[clang.cindex.Cursor]) -> None:
    loaded = description.load()
    enums = [each for each in declarations if each.kind == CursorKind.ENUM_DECL]
    assert loaded.constants == {each.spelling: each.enum_value for enum in enums for each in enum.get_children()}
    pointers = {
        each.spelling
        for each in declarations
        if each.kind == CursorKind.TYPEDEF_DECL and each.underlying_typedef_type.spelling.endswith("_s *")
    }
    assert set(loaded.handles) == pointers


def test_every_function_that_waits_says_so() -> None:
    blocking = {function.name for function in description.load().functions if function.blocks}
    assert {"cuprum_stream_sync", "cuprum_device_sync", "cuprum_event_sync", "cuprum_program_compile"} <= blocking
    assert all(name in blocking for name in (f.name for f in description.load().functions) if name.endswith("_sync"))
    assert not {"cuprum_launch", "cuprum_stream_record", "cuprum_stream_is_done", "cuprum_buffer_size"} & blocking


def test_every_function_that_reports_errors_says_what_it_does() -> None:
    functions = {function.name: function.does for function in description.load().functions}
    silent = {name for name, does in functions.items() if not does}
    assert silent == {"cuprum_error_last", "cuprum_error_status_name"}
    assert functions["cuprum_stream_sync"] == "waiting for a stream"


def test_a_structure_that_is_passed_in_becomes_its_fields() -> None:
    abi = description.load()
    build = adapted.adapted(abi, next(f for f in abi.functions if f.name == "cuprum_parallel_reduce_build"))
    assert build
    assert [(each.name, each.nullable) for each in build.parameters[:5]] == [
        ("algorithm_out", False),
        ("kind", False),
        ("device", False),
        ("architectures", True),
        ("determinism", False),
    ]


def test_a_field_with_a_parameters_name_gets_the_structures_name_too() -> None:
    abi = description.load()
    build = adapted.adapted(abi, next(f for f in abi.functions if f.name == "cuprum_parallel_scan_build"))
    assert build
    assert [each.name for each in build.parameters[1:6]] == [
        "execution_kind",
        "device",
        "architectures",
        "determinism",
        "kind",
    ]


def test_fields_of_two_structures_of_one_kind_get_the_names_of_both() -> None:
    abi = description.load()
    copy = adapted.adapted(abi, next(f for f in abi.functions if f.name == "cuprum_buffer_copy_region"))
    assert copy
    names = [each.name for each in copy.parameters]
    assert names[:3] == ["destination", "destination_region_width", "destination_region_height"]
    assert names[7:9] == ["source", "source_region_width"]
    assert len(set(names)) == len(names) == 15


@pytest.mark.parametrize(
    ("declaration", "complaint"),
    [
        ("int forgotten_macro(void);", "not understood: int forgotten_macro"),
        ("CUPRUM_API cuprum_status cuprum_x(int (*callback)(void));", "parameter not understood"),
        ("/* @bloks */\nCUPRUM_API cuprum_status cuprum_x(void);", "cuprum_x: unknown tag @bloks"),
        ("CUPRUM_API cuprum_status cuprum_x(void);", "cuprum_x: expected a tag .* '@does .*; there is none"),
        ("/* @does wait */\nCUPRUM_API cuprum_status cuprum_x(void);", "cuprum_x: expected .*; found '@does wait'"),
        ("/* @does waiting. */\nCUPRUM_API cuprum_status cuprum_x(void);", "found '@does waiting.'"),
        ("/* @does naming */\nCUPRUM_API const char* cuprum_x(void);", "cuprum_x: @does is for functions that report"),
        (
            "/* @nullable b */\nCUPRUM_API cuprum_status cuprum_x(const char* a);",
            "@nullable b is not a pointer or handle",
        ),
        ("/* @nullable a */\nCUPRUM_API cuprum_status cuprum_x(int32_t a);", "@nullable a is not a pointer or handle"),
        ("/* @nullable a */\ntypedef struct x {\n    int32_t a;\n} x;", "@nullable a is not a pointer or handle"),
        ("/* @blocks */\ntypedef struct x {\n    int32_t a;\n} x;", "x: unknown tag @blocks"),
    ],
)
def test_what_is_not_understood_is_refused(tmp_path: pathlib.Path, declaration: str, complaint: str) -> None:
    shutil.copytree(description.FOLDER, tmp_path, dirs_exist_ok=True)
    with (tmp_path / "stream.h").open("a") as header:
        header.write(declaration + "\n")
    with pytest.raises(description.DescriptionError, match=complaint):
        description.load(tmp_path)
