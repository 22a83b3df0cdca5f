"""The command ``cuprum`` of the wheel: starts the program inside this package."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "cuprum")
    if not os.path.exists(program):
        sys.exit(f"cuprum: {program} is not there; this package was not installed from a wheel")
    os.execv(program, ["cuprum", *sys.argv[1:]])


if __name__ == "__main__":
    main()
