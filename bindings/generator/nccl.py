"""What NCCL's header leaves open about pointer parameters, as parameters.py has it for the other libraries."""

from __future__ import annotations

from model import Facts

# Arrays, with the parameter that holds their number of elements.
_ARRAYS = {
    ("ncclCommInitAll", "comm"): "ndev",
    ("ncclCommInitAll", "devlist"): "ndev",
    ("ncclCommInitRankScalable", "commIds"): "nId",
    ("ncclCommShrink", "excludeRanksList"): "excludeRanksCount",
    ("ncclWaitSignal", "signalDescs"): "nDesc",
}
# What is only read, and not declared const; and what is set up by the caller and filled in.
_INPUTS = {"config", "commIds", "excludeRanksList", "signalDescs"}
_BOTH = {"simInfo"}


def parameter(function: str, name: str, shape: str) -> Facts:
    """A parameter's direction, and what it counts."""
    direction = "in"
    if shape.startswith("ptr(") and not shape.startswith("ptr(const ") and shape != "ptr(void)" and name not in _INPUTS:
        direction = "inout" if name in _BOTH else "out"
    facts: Facts = {"direction": direction}
    if count := _ARRAYS.get((function, name)):
        facts["count"] = count
    return facts
