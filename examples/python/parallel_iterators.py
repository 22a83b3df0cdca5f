"""Iterators made of each other: cards dealt in a random order, written where it says and read backwards in steps."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import (
    CountingIterator,
    DeviceArray,
    OpKind,
    PermutationIterator,
    ShuffleIterator,
    StridedIterator,
)

CARDS = 52


def main() -> int:
    device = Device(0)
    device.set_current()
    table = DeviceArray.empty(CARDS, np.int32)
    total = DeviceArray.empty(1, np.int32)

    # Card i goes to place shuffle(i): the order is in no memory.
    deck = CountingIterator(np.int32(1))
    places = PermutationIterator(table, ShuffleIterator(CARDS, 2026))
    parallel.unary_transform(d_in=deck, d_out=places, op=OpKind.IDENTITY, num_items=CARDS)

    # Every fourth card from the last one backwards: one player's hand.
    hand = StridedIterator(table, -4, CARDS - 1)
    parallel.reduce_into(d_in=hand, d_out=total, num_items=CARDS // 4, op=OpKind.PLUS, h_init=0)
    device.sync()

    dealt = table.to_numpy()
    is_right = sorted(dealt.tolist()) == list(range(1, CARDS + 1)) and total.to_numpy()[0] == dealt[::-4].sum()
    print(f"each card once, a hand of {total.to_numpy()[0]}", "ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
