"""Memory of graphics libraries, which is not supported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from cuprum._errors import Unsupported

if TYPE_CHECKING:
    from cuprum.core._stream import Stream


def _refuse(what: str) -> NoReturn:
    raise Unsupported(
        f"{what}: Cuprum has no interoperation with graphics libraries; cuGraphicsGLRegisterBuffer and its like of "
        "cuprum.bindings.driver do it on a GPU, and Buffer.from_handle takes the address that they map"
    )


class GraphicsResource:
    """A buffer or an image of OpenGL. Not supported: everything raises Unsupported and says what to do instead."""

    __slots__ = ()

    def __init__(self) -> None:
        """Raises Unsupported."""
        _refuse("registering memory of a graphics library")

    @classmethod
    def from_gl_buffer(
        cls, gl_buffer: int, *, flags: str | Sequence[str] | None = None, stream: Stream | None = None
    ) -> GraphicsResource:
        """Raises Unsupported."""
        _refuse(f"registering buffer {gl_buffer} of OpenGL")

    @classmethod
    def from_gl_image(cls, image: int, target: int, *, flags: str | Sequence[str] | None = None) -> GraphicsResource:
        """Raises Unsupported."""
        _refuse(f"registering image {image} of OpenGL")
