"""docs/cuda-core.md is what the comparison with cuda.core gives; what is not there has a reason."""

from __future__ import annotations

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import cuda_core_table as table  # noqa: E402

#: Part of the names that are there with their arguments; it only grows.
LEAST = 0.97


def test_the_page_is_what_the_comparison_gives() -> None:
    page = (ROOT / "docs" / "cuda-core.md").read_text()
    assert page == table.text(table.rows()), "write it again: scripts/cuda_core_table.py docs/cuda-core.md"


def test_most_names_are_there() -> None:
    rows = table.rows()
    assert len(rows) > 1500
    assert sum(row.status == table.THERE for row in rows) / len(rows) >= LEAST


def test_what_is_not_there_has_a_reason() -> None:
    reasons = table.reasons()
    rest = [row for row in table.rows() if row.status != table.THERE]
    assert not [row.path for row in rest if not table.reason_of(row, reasons)]


def test_no_reason_is_left_of_what_is_there() -> None:
    rest = [row.path for row in table.rows() if row.status != table.THERE]
    assert not [path for path in table.reasons() if not any(each.startswith(path) for each in rest)]
