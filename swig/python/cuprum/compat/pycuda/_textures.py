"""Texture and surface references, which CUDA 12 and later do not have: refused, with what to use instead."""

from __future__ import annotations

from typing import Any, NoReturn

from cuprum._errors import Unsupported

TRSA_OVERRIDE_FORMAT = 1
TRSF_READ_AS_INTEGER = 1
TRSF_NORMALIZED_COORDINATES = 2
TR_DEFAULT = -1

_INSTEAD = (
    "give the kernel a {parameter} as a parameter, make the object with {factory} of a "
    "cuprum.core.Device, and pass that"
)


def refuse_texrefs(what: str = "texrefs") -> NoReturn:
    """For every use of one."""
    instead = _INSTEAD.format(parameter="cudaTextureObject_t", factory="create_texture_object")
    raise Unsupported(f"{what}: texture references are gone from CUDA: {instead}")


def refuse_surface_reference(what: str) -> NoReturn:
    """For every use of one."""
    instead = _INSTEAD.format(parameter="cudaSurfaceObject_t", factory="create_surface_object")
    raise Unsupported(f"{what}: surface references are gone from CUDA: {instead}")


class TextureReference:
    """Refused: texture references are gone from CUDA."""

    def __init__(self) -> None:
        """Raises Unsupported, which says what to use instead."""
        refuse_texrefs("TextureReference")


class SurfaceReference:
    """Refused: surface references are gone from CUDA."""

    def __init__(self) -> None:
        """Raises Unsupported, which says what to use instead."""
        refuse_surface_reference("SurfaceReference")


def bind_array_to_texref(ary: Any, texref: Any) -> NoReturn:
    """Refused: texture references are gone from CUDA."""
    refuse_texrefs("bind_array_to_texref")


def matrix_to_texref(matrix: Any, texref: Any, order: str) -> NoReturn:
    """Refused: texture references are gone from CUDA."""
    refuse_texrefs("matrix_to_texref")
