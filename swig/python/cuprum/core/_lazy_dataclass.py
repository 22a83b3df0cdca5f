"""``dataclasses.dataclass`` for classes that few programs use: it does its work when such a class is first used.

``dataclasses`` takes as long to import as all that a launch needs, and a millisecond for a class with many fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_MADE = ("__init__", "__repr__", "__eq__", "__match_args__", "__dataclass_fields__", "__dataclass_params__")


class _Later:
    """What ``dataclass`` makes of that name, from the first use on in its place."""

    __slots__ = ("_make", "_name")

    def __init__(self, make: Callable[[], None], name: str) -> None:
        self._make, self._name = make, name

    def __get__(self, instance: Any, owner: type) -> Any:
        self._make()
        return getattr(owner if instance is None else instance, self._name)


def _refuse_to_set(self: object, name: str, value: object = None) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def dataclass(cls: Any = None, *, frozen: bool = False) -> Any:
    """As ``dataclasses.dataclass`` with these options; what it makes of the class is the same."""
    if cls is None:
        return lambda decorated: dataclass(decorated, frozen=frozen)
    names = (*_MADE, "__hash__") if frozen else _MADE

    def make() -> None:
        import dataclasses

        # Made of another class, and then put in place name by name: other threads find the class whole at any time.
        own = {name: value for name, value in vars(cls).items() if not isinstance(value, _Later)}
        for name in ("__dict__", "__weakref__", "__setattr__", "__delattr__"):
            own.pop(name, None)
        made: Any = dataclasses.dataclass(frozen=frozen)(type(cls.__name__, cls.__bases__, own))
        for name in names:
            setattr(cls, name, vars(made)[name])

    for name in names:
        setattr(cls, name, _Later(make, name))
    if frozen:
        cls.__setattr__ = cls.__delattr__ = _refuse_to_set
    else:
        cls.__hash__ = None
    return cls
