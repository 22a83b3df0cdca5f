"""Holds the tests of the bindings to most_used.txt: each of its functions is shown doing its work in each language.

usage: check_most_used.py LANGUAGE=FILE...

The tests write the files, by name of CUPRUM_TEST_SHOWN: a line for each function that a test has shown, or would have
shown had it not been skipped, with the trace of its calls as the proof.
"""

from __future__ import annotations

import collections
import pathlib
import sys

LIST = pathlib.Path(__file__).resolve().with_name("most_used.txt")


def most_used() -> dict[str, str]:
    """Function -> its library."""
    found = {}
    for line in LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            library, function, _ = line.split()
            assert function not in found, f"{function} is listed twice"
            found[function] = library
    return found


def missing(record: str) -> list[str]:
    """What a language's tests have not shown of the list, a line for each function."""
    listed = most_used()
    tests: dict[str, dict[str, str]] = collections.defaultdict(dict)
    for line in record.splitlines():
        outcome, function, test, reason = line.split("\t")
        tests[function][outcome] = f"{test}: {reason}"
    problems = [f"{f} is shown, and most_used.txt does not have it" for f in tests if f not in listed]
    for function in listed:
        outcomes = tests[function]
        if "shown" in outcomes:
            continue
        if "skipped" not in outcomes:
            problems.append(f"{function}: no test shows what it does")
        else:
            problems.append(f"{function}: its test was skipped, {outcomes['skipped']}")
    return problems


def main() -> int:
    failed = False
    for argument in sys.argv[1:]:
        language, _, path = argument.partition("=")
        if not pathlib.Path(path).exists():
            problems = [f"there is no {path}: the tests have not run"]
        else:
            problems = missing(pathlib.Path(path).read_text())
        print(f"{language}: {'all shown' if not problems else ''}")
        for problem in problems:
            print(f"    {problem}")
        failed = failed or bool(problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
