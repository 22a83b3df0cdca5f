"""Names for what options take, under those of ``cuda.core.typing``. Wherever they are taken, plain texts are too."""

from __future__ import annotations

from enum import StrEnum


class ArrayFormatType(StrEnum):
    """What one channel of an array's elements is: the name of a NumPy dtype."""

    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    FLOAT16 = "float16"
    FLOAT32 = "float32"


class AddressModeType(StrEnum):
    """What lies outside an image: the image again, its edge, its mirror image, or the border's colour."""

    WRAP = "wrap"
    CLAMP = "clamp"
    MIRROR = "mirror"
    BORDER = "border"


class FilterModeType(StrEnum):
    """What a texture gives between elements: the nearest one, or a weighted mean of those around."""

    POINT = "point"
    LINEAR = "linear"


class ReadModeType(StrEnum):
    """What a kernel gets of integers of 8 and 16 bits: themselves, or floats from 0, or -1, to 1."""

    ELEMENT_TYPE = "element_type"
    NORMALIZED_FLOAT = "normalized_float"


__all__ = ["AddressModeType", "ArrayFormatType", "FilterModeType", "ReadModeType"]
