"""How every generator of the project writes its files."""

from __future__ import annotations

import pathlib


def write(path: pathlib.Path, text: str) -> None:
    """Leaves a file alone that would not change, so that nothing is compiled anew for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
