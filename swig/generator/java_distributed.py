"""Java's class of the algorithms over several devices, io.cuprum.Distributed, from the C header and
capi/distributed.toml."""

from __future__ import annotations

import java_table_classes
from algorithms import camel_case
from tables import Algorithm, Argument

_SUMMARY = (
    "Algorithms over data that is spread over several devices, of this process or of several, each of which has a "
    "{@link Shard} of it: built once for a {@link Communicator}, types and an operator, and called many times, from "
    "several threads too. A call takes a list of shards for each input and output, one for each rank of this process, "
    "in their order, and returns when all ranks are done.",
    "<p>Shards that do not fit are an {@link InvalidArgumentException} before anything is done. A later error "
    "names the rank and its device; the outputs are then undefined, and all ranks were waited for.",
)


class _Kind(java_table_classes.Kind):
    table = "distributed"
    summary = _SUMMARY
    imports = ("java.util.List",)
    name = "Distributed"
    base = "DistributedAlgorithm"
    place = ("Communicator", "communicator")
    built = ("built", "ranks")
    data_type = "List<Shard>"
    none = "List.of()"
    result_type = "List<ReducedShard>"
    result = "reduced"

    def kept(self, algorithm: Algorithm) -> list[str]:
        return algorithm.value_types

    def field(self, name: str) -> str:
        return camel_case(name)

    def returns(self, algorithm: Algorithm) -> str:
        return f"{algorithm.result}; the caller closes them" if algorithm.result else ""

    def data(self, argument: Argument, name: str) -> list[str]:
        return [
            f"{name}Shards.types()",
            f"{name}Shards.memory()",
            f"{name}Shards.counts()",
            f"{name}Shards.countsSize()",
        ]

    def making(self, name: str) -> list[str]:
        return [f'ShardList {name}Shards = new ShardList(OPERATION, "{name}", {name});']

    def keeping(self, name: str) -> str:
        return f"{name}Shards.keep();"

    def taken(self, data: list[str]) -> str:
        return f"ReducedShard.takeAll(reduced[0], {data[0]}.size())"


def source(algorithms: list[Algorithm]) -> str:
    """The whole file."""
    return java_table_classes.source(_Kind(), algorithms)
