"""Images that kernels read and write: arrays, texture objects and surface objects, under the names of
``cuda.core.texture``."""

from cuprum.core._opaque_array import MipmappedArray, MipmappedArrayOptions, OpaqueArray, OpaqueArrayOptions
from cuprum.core._texture_object import ResourceDescriptor, SurfaceObject, TextureObject, TextureObjectOptions

__all__ = [
    "MipmappedArray",
    "MipmappedArrayOptions",
    "OpaqueArray",
    "OpaqueArrayOptions",
    "ResourceDescriptor",
    "SurfaceObject",
    "TextureObject",
    "TextureObjectOptions",
]
