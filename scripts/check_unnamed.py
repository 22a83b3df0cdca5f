"""Checks that two files that are compiled as one define no name twice in their unnamed namespaces.

Where CUPRUM_UNITY_BUILD joins the files of a target (`cuprum_unity` in its CMakeLists.txt), a second type or constant
of a name is an error, but a second function is an overload, which a call in another file may pick in silence; and one
that is named as a function of the target's headers hides that from the files behind it.
"""

from __future__ import annotations

import collections
import pathlib
import re
import sys

# cuprum_unity(<target> [ALONE <source>...])
UNITY = re.compile(r"^cuprum_unity\(\w+(?: ALONE ([^)]*))?\)$", re.MULTILINE)
# The sources are formatted: what a namespace holds begins at the start of a line.
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
DEFINITIONS = (
    re.compile(r"^(?:enum class|enum|struct|class|union) (\w+)", re.MULTILINE),
    # A function: the name before the first parenthesis of a line that begins with its type.
    re.compile(r"^(?!using |struct |class |enum |static_assert|#|//)[A-Za-z_\[][^(={;\n]*?[ *&](\w+)\(", re.MULTILINE),
    # A variable, or a constant.
    re.compile(
        r"^(?!using |struct |class |enum |union |namespace |template|#|//)"
        r"[A-Za-z_][^(={;\n]*[ *&](\w+)(?:\[\w*\])? ?[={;]",
        re.MULTILINE,
    ),
)


def unnamed_names(text: str) -> set[str]:
    """The names that a source file defines in its unnamed namespaces."""
    return {
        found[1] for part in UNNAMED.finditer(text) for pattern in DEFINITIONS for found in pattern.finditer(part[1])
    }


def declared_functions(folder: pathlib.Path) -> set[str]:
    """The functions that the headers of a folder declare outside of classes."""
    return {
        found[1]
        for header in sorted(folder.rglob("*.hpp"))
        for found in DEFINITIONS[1].finditer(header.read_text(encoding="utf-8"))
    }


def joined_sources(root: pathlib.Path) -> dict[pathlib.Path, list[pathlib.Path]]:
    """By folder, the sources that are compiled as one. Generated ones are not."""
    groups = {}
    for lists in sorted(root.glob("*/CMakeLists.txt")) + sorted(root.glob("*/*/CMakeLists.txt")):
        if match := UNITY.search(lists.read_text(encoding="utf-8")):
            alone = {lists.parent / name for name in (match[1] or "").split()}
            # A folder below with a CMakeLists.txt of its own is another target.
            groups[lists.parent] = [
                path
                for path in sorted(lists.parent.rglob("*.cpp"))
                if path not in alone
                and "generated" not in path.parts
                and not any((folder / lists.name).exists() for folder in path.parents if lists.parent in folder.parents)
            ]
    return groups


def violations(root: pathlib.Path) -> list[str]:
    groups = joined_sources(root)
    if not groups:
        return ["no CMakeLists.txt calls cuprum_unity"]
    found = []
    for folder, sources in groups.items():
        files = collections.defaultdict(list)
        for path in sources:
            for name in unnamed_names(path.read_text(encoding="utf-8")):
                files[name].append(str(path.relative_to(root)))
        found += [
            f"'{name}' is defined in the unnamed namespaces of {' and '.join(paths)}, which may be compiled as one: "
            "rename one, or share it"
            for name, paths in sorted(files.items())
            if len(paths) > 1
        ]
        found += [
            f"'{name}' in the unnamed namespace of {files[name][0]} hides what a header of {folder.relative_to(root)} "
            "declares from files that may be compiled as one with it: rename it"
            for name in sorted(files.keys() & declared_functions(folder))
        ]
    return found


def main() -> int:
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
