"""``python -m cuprum.compat.pycuda program.py arguments...``: runs a program whose imports say ``pycuda``."""

from __future__ import annotations

import os
import runpy
import sys

from cuprum.compat.pycuda._stand_in import install


def main() -> None:
    """Runs the program as ``__main__``, with its own arguments."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["-m"]:
        if len(arguments) < 2:
            raise SystemExit("usage: python -m cuprum.compat.pycuda [-m] PROGRAM [ARGUMENT...]")
        install()
        sys.argv = arguments[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    if not arguments or arguments[0].startswith("-"):
        raise SystemExit("usage: python -m cuprum.compat.pycuda [-m] PROGRAM [ARGUMENT...]")
    program = arguments[0]
    if not os.path.exists(program):
        raise SystemExit(f"python -m cuprum.compat.pycuda: there is no program {program}")
    install()
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
