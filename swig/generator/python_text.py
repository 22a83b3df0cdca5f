"""Python's text: docstrings, calls and errors within the width of a line."""

from __future__ import annotations

import textwrap


def docstring(indent: str, first: str, *paragraphs: str) -> list[str]:
    """A docstring."""
    texts = [each.replace("`", "``") for each in (first, *paragraphs) if each]
    lines = _wrapped(indent, f'"""{texts[0]}')
    for paragraph in texts[1:]:
        lines += ["", *_wrapped(indent, paragraph)]
    if len(texts) == 1 and len(lines[-1]) <= 117:
        lines[-1] += '"""'
    else:
        lines.append(f'{indent}"""')
    return lines


def _wrapped(indent: str, text_: str) -> list[str]:
    return textwrap.wrap(
        text_, 120, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def call_lines(before: str, arguments: list[str], after: str = ")", *, width: int = 120) -> list[str]:
    """A call in one line, or with an argument a line."""
    line = before + ", ".join(arguments) + after
    if len(line) <= width:
        return [line]
    indent = before[: len(before) - len(before.lstrip())]
    return [before, *(f"{indent}    {each}," for each in arguments), indent + after.lstrip()]


def type_error(indent: str, message: str) -> list[str]:
    """Raises it, in as many lines as it takes."""
    if len(indent) + len(message) <= 99:
        return [f'{indent}raise TypeError("{message}")']
    parts = textwrap.wrap(message, 110 - len(indent), drop_whitespace=False, break_on_hyphens=False)
    return [f"{indent}raise TypeError(", *(f'{indent}    "{each}"' for each in parts), f"{indent})"]
