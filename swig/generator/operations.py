"""What each function of the C ABI does, in words for errors: a constant a function in each language.

The C ABI itself says the same where a call fails. The languages need the words for what they find out themselves: that
an object is closed.
"""

from __future__ import annotations

from description import Description
from members import ORIGIN
from names import pascal


def java(description: Description) -> str:
    constants = [f'    public static final String {name.upper()} = "{does}";\n' for name, does in _all(description)]
    return (
        f"// {ORIGIN}\npackage io.cuprum.internal;\n\n"
        "/** What the functions of the C ABI do, in words for errors. */\n"
        "public final class Operations {\n    private Operations() {}\n\n" + "".join(constants) + "}\n"
    )


def csharp(description: Description) -> str:
    constants = [f'    public const string {pascal(name)} = "{does}";\n' for name, does in _all(description)]
    return (
        f"// {ORIGIN}\nnamespace Cuprum.Native {{\n\n"
        "/// <summary>What the functions of the C ABI do, in words for errors.</summary>\n"
        "internal static class Operations {\n" + "".join(constants) + "}\n\n}\n"
    )


def python(description: Description) -> str:
    constants = [f'{name.upper()} = "{does}"\n' for name, does in _all(description)]
    return f'"""What the functions of the C ABI do, in words for errors."""\n# {ORIGIN}\n\n' + "".join(constants)


def _all(description: Description) -> list[tuple[str, str]]:
    return [(each.name.removeprefix("cuprum_"), each.does) for each in description.functions if each.does]
