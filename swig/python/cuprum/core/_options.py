"""Lets options objects be given as plain dictionaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    OptionsType = TypeVar("OptionsType", bound=DataclassInstance)


def as_options(cls: type[OptionsType], options: OptionsType | Mapping[str, Any] | None) -> OptionsType:
    """``options`` as an instance of ``cls``; None gives the defaults, a mapping gives its keys as fields."""
    if options is None:
        return cls()
    if isinstance(options, cls):
        return options
    if isinstance(options, Mapping):
        fields = getattr(cls, "__dataclass_fields__", {})
        unknown = [key for key in options if key not in fields]
        if unknown:
            from difflib import get_close_matches

            near = get_close_matches(str(unknown[0]), fields)
            known = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(fields)}"
            raise TypeError(f"{cls.__name__} has no option {unknown[0]!r}; {known}")
        return cls(**options)
    raise TypeError(f"options must be of type {cls.__name__} or a dict of its fields, not {type(options).__name__}")
