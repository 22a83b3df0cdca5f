"""What calls cost, beside those of a peer in the same process."""

from __future__ import annotations

import timeit
from collections.abc import Callable, Mapping, Sequence

Call = Callable[[], object]


def nanoseconds(calls: Sequence[Call], drain: Call) -> list[float]:
    """The least of many batches of each, in turns: what the calls cost when nothing disturbs them."""
    least = [float("inf")] * len(calls)
    for _ in range(41):
        for i, call in enumerate(calls):
            least[i] = min(least[i], timeit.timeit(call, number=500) / 500 * 1e9)
            drain()
    return least


def print_costs(ours: Mapping[str, Call], prefix: str, peer: str, others: Mapping[str, Call], drain: Call) -> None:
    """A line for each of ours, with what the call of the same name costs the peer, where it has one."""
    # What timeit and the lambda around each call take of both figures.
    (nothing,) = nanoseconds([lambda: None], drain)
    print(f"a call of an empty function, taken off below\t{nothing:.0f}\tns")
    for name, call in ours.items():
        cost, *other = (
            each - nothing for each in nanoseconds([call, others[name]] if name in others else [call], drain)
        )
        line = f"{prefix}{name}\t{cost:.0f}\tns"
        if other:
            line += f"\t{peer} {other[0]:.0f}\tns\tcuprum takes {cost / other[0]:.2f} of it"
        print(line)
