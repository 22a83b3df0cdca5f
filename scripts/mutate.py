"""Mutation checks: would the tests notice if the code were slightly wrong?

    scripts/mutate.py --target driver_conformance_tests --tests driver_conformance simulator/driver/stream/stream.cpp

Makes one small change at a time to a source file (negates a comparison, moves a bound by one, drops a statement,
changes an error code, swaps two arguments, ...), builds the targets that it is in, and runs the tests. A change after
which every test still passes has survived: either it changes nothing that anybody could notice, or a test is missing.
Survivors are listed with their place; the source file is put back each time. Which changes are tried is drawn from
--seed, so that a run can be repeated. Run it in a working tree of its own, configured and built: what it builds
meanwhile is wrong.
"""

import argparse
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


@dataclass(frozen=True)
class Mutation:
    """The text [begin, end) of a file becomes `text`."""

    kind: str
    begin: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        return source[: self.begin] + self.text + source[self.end :]

    def line(self, source: str) -> int:
        return source.count("\n", 0, self.begin) + 1

    def describe(self, source: str) -> str:
        first = source.rfind("\n", 0, self.begin) + 1
        last = source.find("\n", self.end)
        changed = source[first : self.begin] + self.text + source[self.end : last]
        old, new = (" ".join(text.split()) for text in (source[first:last], changed))
        return f"{self.line(source)}: {self.kind}: `{old}` -> `{new or '(nothing)'}`"


class Outcome(Enum):
    KILLED = "killed"
    SURVIVED = "survived"
    REFUSED = "does not compile"


COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^[ \t]*#[^\n]*', re.DOTALL | re.MULTILINE)

# Formatted code has spaces around comparisons and none in the angle brackets of templates.
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OTHER_OPERATOR = {"&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}
BINARY = re.compile(r"(?<= )(==|!=|<=|>=|<|>|&&|\|\||\+=|-=|\|=|&=|\+|-)(?= )")
STATEMENT = re.compile(
    r"^ +(?!return|throw|break|continue|using|case|delete)"
    r"([\w:.>\[\]*-]+\([^;{}]*\)|[\w:.>\[\]*-]+ [-+|&]?= [^;{}]*);$"
)
JUMP = re.compile(r"^ +(break|continue);$")
ERROR_CODE = re.compile(r"\bCUDA_ERROR_\w+")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
TRUTH = re.compile(r"\b(true|false)\b")
NEGATION = re.compile(r"(?<=[( ])!(?=[\w(])")
TWO_ARGUMENTS = re.compile(r"(?<=[(,])( ?)([\w.>*-]+), ([\w.>*-]+)(?=[,)])")


def without_comments(source: str) -> str:
    """The source with comments, texts and directives blanked out, every character at its place."""
    return COMMENT_OR_TEXT.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), source)


def mutations(source: str) -> Iterator[Mutation]:
    """All that could be tried."""
    code = without_comments(source)
    for found in BINARY.finditer(code):
        operator = found[0]
        for kind, table in (("negated", NEGATED), ("off by one", SHIFTED), ("other operator", OTHER_OPERATOR)):
            if operator in table:
                yield Mutation(kind, found.start(), found.end(), table[operator])
    for found in re.finditer(r"^.*$", code, re.MULTILINE):
        if STATEMENT.match(found[0]) or JUMP.match(found[0]):
            yield Mutation("dropped statement", found.start(), found.end(), "")
    for found in ERROR_CODE.finditer(code):
        other = "CUDA_ERROR_UNKNOWN" if found[0] != "CUDA_ERROR_UNKNOWN" else "CUDA_ERROR_INVALID_VALUE"
        yield Mutation("other error", found.start(), found.end(), other)
    for found in NUMBER.finditer(code):
        yield Mutation("off by one", found.start(), found.end(), str(int(found[0]) + 1))
    for found in TRUTH.finditer(code):
        yield Mutation("negated", found.start(), found.end(), "false" if found[0] == "true" else "true")
    for found in NEGATION.finditer(code):
        yield Mutation("negated", found.start(), found.end(), "")
    for found in TWO_ARGUMENTS.finditer(code):
        if found[2] != found[3]:
            yield Mutation("swapped arguments", found.start(), found.end(), f"{found[1]}{found[3]}, {found[2]}")


@dataclass(frozen=True)
class Check:
    """How a changed source is built and tested."""

    build: Path
    targets: list[str]
    tests: str
    timeout: int
    jobs: int

    def builds(self) -> bool:
        return self._succeeds("ninja", "-C", str(self.build), f"-j{self.jobs}", *self.targets)

    def passes(self) -> bool:
        # A changed program may wait for ever.
        limits = ("--timeout", str(self.timeout), "--stop-on-failure", "--no-tests=error", f"-j{self.jobs}")
        return self._succeeds("ctest", "--test-dir", str(self.build), "--tests-regex", self.tests, *limits)

    @staticmethod
    def _succeeds(*command: str) -> bool:
        return subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL).returncode == 0

    def outcome(self) -> Outcome:
        if not self.builds():
            return Outcome.REFUSED
        return Outcome.SURVIVED if self.passes() else Outcome.KILLED


def check_file(path: Path, count: int, chosen: random.Random, check: Check) -> tuple[int, list[str]]:
    """Tries `count` mutations that compile. Returns how many were tried and what survived."""
    source = path.read_text()
    candidates = list(mutations(source))
    chosen.shuffle(candidates)
    tried = 0
    survivors: list[str] = []
    try:
        for mutation in candidates:
            if tried == count:
                break
            path.write_text(mutation.apply(source))
            outcome = check.outcome()
            description = mutation.describe(source)
            print(f"{path}:{description}: {outcome.value}", flush=True)
            tried += outcome is not Outcome.REFUSED
            if outcome is Outcome.SURVIVED:
                survivors.append(description)
    finally:
        path.write_text(source)
    return tried, survivors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="source files to change")
    parser.add_argument("--build", type=Path, default=Path("build"), help="the build folder")
    parser.add_argument("--target", action="append", required=True, help="what to build; may be repeated")
    parser.add_argument("--tests", required=True, help="a regular expression of the tests' names, as ctest has it")
    parser.add_argument("--count", type=int, default=10, help="changes per file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=60, help="seconds after which a test counts as failed")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that a file that is changed is put back
    check = Check(arguments.build, arguments.target, arguments.tests, arguments.timeout, arguments.jobs)
    if check.outcome() is not Outcome.SURVIVED:
        print("the tests must build and pass before anything is changed", file=sys.stderr)
        return 2
    rows: list[str] = []
    for path in arguments.files:
        # Of its own for each file, so that a file alone gives what it gives among others.
        chosen = random.Random(f"{arguments.seed} {path.name}")
        tried, survivors = check_file(path, arguments.count, chosen, check)
        rows.append(f"| `{path}` | {tried} | {tried - len(survivors)} | {'; '.join(survivors) or 'none'} |")
    print("\n| file | mutants | killed | survivors |\n| --- | --- | --- | --- |", *rows, sep="\n")
    check.builds()
    return 0


if __name__ == "__main__":
    sys.exit(main())
