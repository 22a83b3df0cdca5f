"""How many native objects are alive."""

from __future__ import annotations

from cuprum._native import _cuprum


def live_objects() -> dict[str, int]:
    """How many native objects of each kind are alive in this process, by the kind's name: ``"stream"``."""
    kinds = range(_cuprum.cuprum_handle_kind_count())
    return dict(map(_cuprum.cuprum_live_handles_of_kind, kinds))
