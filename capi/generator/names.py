"""A name of the C ABI as each language spells it."""

from __future__ import annotations


def pascal(name: str) -> str:
    """argument_count -> ArgumentCount"""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def camel(name: str) -> str:
    """argument_count -> argumentCount"""
    text = pascal(name)
    return text[:1].lower() + text[1:]
