"""Arrays, texture and surface objects."""

from __future__ import annotations

import array
from collections.abc import Iterator

import cuprum
import pytest
from cuprum.core import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from cuprum.core.texture import (
    MipmappedArray,
    MipmappedArrayOptions,
    OpaqueArray,
    OpaqueArrayOptions,
    ResourceDescriptor,
    SurfaceObject,
    TextureObject,
    TextureObjectOptions,
)
from cuprum.core.typing import AddressModeType, ArrayFormatType, FilterModeType, ReadModeType

SOURCE = """
extern "C" __global__ void read(float* out, cudaTextureObject_t t, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
extern "C" __global__ void between(float* out, cudaTextureObject_t t, float x, float y) {
    *out = tex2D<float>(t, x, y);
}
extern "C" __global__ void fetch(float* out, cudaTextureObject_t t) {
    out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}
extern "C" __global__ void level(float* out, cudaTextureObject_t t, float detail) {
    *out = tex2DLod<float>(t, 0.5f, 0.5f, detail);
}
extern "C" __global__ void write(cudaSurfaceObject_t s) {
    surf2Dwrite((float)(100 * blockIdx.x + threadIdx.x), s, 4 * threadIdx.x, blockIdx.x);
}
"""


@pytest.fixture(scope="module")
def code() -> dict[str, Kernel]:
    compiled = Program(SOURCE).compile()
    return {name: compiled.get_kernel(name) for name in ("read", "between", "fetch", "level", "write")}


@pytest.fixture
def device() -> Device:
    return Device(0)


@pytest.fixture
def stream(device: Device) -> Iterator[Stream]:
    with device.create_stream() as made:
        yield made


def floats(*values: float) -> array.array[float]:
    return array.array("f", values)


def image(device: Device, stream: Stream, shape: tuple[int, ...], *values: float, surface: bool = False) -> OpaqueArray:
    made = device.create_opaque_array(OpaqueArrayOptions(shape, "float32", 1, surface))
    made.copy_from(floats(*values), stream=stream)
    return made


def run(device: Device, stream: Stream, kernel: Kernel, config: LaunchConfig, count: int, *args: object) -> list[float]:
    out = device.allocate(4 * count)
    launch(stream, config, kernel, out, *args)
    stream.sync()
    values = floats(*[0.0] * count)
    out.copy_to_host(values)
    return list(values)


def test_an_array_knows_its_shape(device: Device) -> None:
    options = OpaqueArrayOptions(shape=(6, 4, 2), format="uint16", num_channels=4, is_surface_load_store=True)
    with device.create_opaque_array(options) as made:
        assert made.shape == (6, 4, 2)
        assert made.format is ArrayFormatType.UINT16
        assert (made.num_channels, made.element_bytes, made.size_bytes) == (4, 8, 6 * 4 * 2 * 8)
        assert made.is_surface_load_store is True
        assert made.device is device
        assert made.handle != 0
        assert "6 x 4 x 2" in repr(made)
        assert not made.is_closed
    assert made.is_closed
    assert repr(made) == "<OpaqueArray closed>"


def test_options_can_be_dictionaries_and_formats_dtypes(device: Device) -> None:
    numpy = pytest.importorskip("numpy")
    for form in ("float16", ArrayFormatType.FLOAT16, numpy.float16, numpy.dtype("float16")):
        with device.create_opaque_array({"shape": [8], "format": form, "num_channels": 2}) as made:
            assert (made.shape, made.format, made.element_bytes) == ((8,), "float16", 4)


def test_elements_go_in_and_out(device: Device, stream: Stream) -> None:
    values = floats(*range(24))
    for shape in ((24,), (6, 4), (3, 4, 2)):
        with image(device, stream, shape, *values) as first, image(device, stream, shape, *[0] * 24) as second:
            between = device.allocate(96)
            assert first.copy_to(between, stream=stream) is between
            second.copy_from(between, stream=stream)
            found = floats(*[0] * 24)
            assert second.copy_to(found, stream=stream) is found
            stream.sync()
            assert found == values


def test_a_texture_reads_an_array(device: Device, stream: Stream, code: dict[str, Kernel]) -> None:
    picture = image(device, stream, (3, 2), 1, 2, 3, 4, 5, 6)
    resource = ResourceDescriptor.from_opaque_array(picture)
    options = TextureObjectOptions(filter_mode="linear", address_mode=("wrap", "clamp"))
    with device.create_texture_object(resource=resource, options=options) as texture:
        picture.close()  # the texture keeps it
        assert run(device, stream, code["read"], LaunchConfig(grid=2, block=3), 6, texture, 3, 2) == [1, 2, 3, 4, 5, 6]
        # Its handle does as well, as in programs written for cuda.core.
        config = LaunchConfig(grid=1, block=1)
        assert run(device, stream, code["between"], config, 1, texture.handle, 1.0, 1.0) == [3]
        assert texture.resource is resource
        assert texture.options.filter_mode is FilterModeType.LINEAR
        assert texture.options.address_mode == (AddressModeType.WRAP, AddressModeType.CLAMP, AddressModeType.CLAMP)
        assert texture.device is device
    assert texture.is_closed
    with pytest.raises(cuprum.InvalidState):
        run(device, stream, code["between"], LaunchConfig(grid=1, block=1), 1, texture, 1.0, 1.0)


def test_outside_is_what_the_address_mode_says(device: Device, stream: Stream, code: dict[str, Kernel]) -> None:
    resource = ResourceDescriptor.from_opaque_array(image(device, stream, (2, 2), 1, 2, 3, 4))
    for mode, normalized, x, expected in (
        ("clamp", False, 7.0, 2),
        ("border", False, 7.0, 9),
        ("wrap", True, 1.25, 1),
        ("mirror", True, 1.25, 2),
    ):
        options = TextureObjectOptions(address_mode=mode, normalized_coords=normalized, border_color=(9, 0, 0, 0))
        texture = device.create_texture_object(resource=resource, options=options)
        y = 0.25 if normalized else 0.5
        assert run(device, stream, code["between"], LaunchConfig(grid=1, block=1), 1, texture, x, y) == [expected], mode


def test_bytes_become_floats(device: Device, stream: Stream, code: dict[str, Kernel]) -> None:
    picture = device.create_opaque_array(OpaqueArrayOptions((2, 1), "uint8", 1))
    picture.copy_from(bytes([51, 255]), stream=stream)
    texture = device.create_texture_object(
        resource=ResourceDescriptor.from_opaque_array(picture),
        options=TextureObjectOptions(read_mode=ReadModeType.NORMALIZED_FLOAT, filter_mode=FilterModeType.LINEAR),
    )
    values = run(device, stream, code["read"], LaunchConfig(grid=1, block=2), 2, texture, 2, 1)
    assert values == pytest.approx([0.2, 1])


def test_a_texture_reads_a_buffer(device: Device, stream: Stream, code: dict[str, Kernel]) -> None:
    memory = device.allocate(1024)
    memory.copy_from_host(floats(*range(256)))
    linear = ResourceDescriptor.from_linear(memory, format="float32", num_channels=1, size_bytes=16)
    texture = device.create_texture_object(resource=linear)
    assert run(device, stream, code["fetch"], LaunchConfig(grid=1, block=6), 6, texture) == [0, 1, 2, 3, 0, 0]
    assert (linear.kind, linear.source, linear.format, linear.size_bytes) == ("linear", memory, "float32", 16)
    assert linear.width is None
    rows = ResourceDescriptor.from_pitch2d(memory, format="float32", num_channels=1, width=3, height=2, pitch_bytes=512)
    texture = device.create_texture_object(resource=rows)
    assert run(device, stream, code["read"], LaunchConfig(grid=2, block=3), 6, texture, 3, 2) == [
        0,
        1,
        2,
        128,
        129,
        130,
    ]
    assert (rows.kind, rows.width, rows.height, rows.pitch_bytes) == ("pitch2d", 3, 2, 512)


def test_levels_are_arrays_that_keep_the_whole(device: Device, stream: Stream, code: dict[str, Kernel]) -> None:
    pyramid = device.create_mipmapped_array(MipmappedArrayOptions((4, 4), "float32", 1, 3))
    assert (pyramid.shape, pyramid.num_levels, pyramid.format, pyramid.num_channels) == ((4, 4), 3, "float32", 1)
    assert not pyramid.is_surface_load_store
    for level in range(3):
        part = pyramid.get_level(level)
        assert part.shape == (4 >> level, 4 >> level)
        part.copy_from(floats(*[10.0 * level] * (16 >> 2 * level)), stream=stream)
    texture = device.create_texture_object(
        resource=ResourceDescriptor.from_mipmapped_array(pyramid),
        options={"normalized_coords": True, "mipmap_filter_mode": "linear", "max_mipmap_level_clamp": 2},
    )
    last = pyramid.get_level(2)
    pyramid.close()
    assert run(device, stream, code["level"], LaunchConfig(grid=1, block=1), 1, texture, 1.5) == [15]
    found = floats(0)
    last.copy_to(found, stream=stream)
    stream.sync()
    assert list(found) == [20]


def test_a_surface_writes_what_a_texture_reads(device: Device, stream: Stream, code: dict[str, Kernel]) -> None:
    resource = ResourceDescriptor.from_opaque_array(image(device, stream, (3, 2), *[0] * 6, surface=True))
    with device.create_surface_object(resource=resource) as surface:
        launch(stream, LaunchConfig(grid=2, block=3), code["write"], surface)
        assert surface.resource is resource
        assert surface.handle != 0
        texture = device.create_texture_object(resource=resource)
        assert run(device, stream, code["read"], LaunchConfig(grid=2, block=3), 6, texture, 3, 2) == [
            0,
            1,
            2,
            100,
            101,
            102,
        ]


def test_objects_are_not_constructed() -> None:
    for cls in (OpaqueArray, MipmappedArray, ResourceDescriptor, TextureObject, SurfaceObject):
        with pytest.raises(TypeError, match="make "):
            cls()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"shape": ()}, "shape must be"),
        ({"shape": (1, 2, 3, 4)}, "shape must be"),
        ({"shape": (0,)}, "at least 1"),
        ({"shape": "12"}, "shape must be"),
        ({"format": "float64"}, "format must be one of 'uint8'"),
        ({"num_channels": 3}, "num_channels must be 1, 2 or 4"),
    ],
)
def test_arrays_that_there_are_not(device: Device, fields: dict[str, object], message: str) -> None:
    options = {"shape": (4,), "format": "float32", "num_channels": 1, **fields}
    with pytest.raises(ValueError, match=message):
        device.create_opaque_array(options)
    with pytest.raises(ValueError, match=message):
        device.create_mipmapped_array({**options, "num_levels": 1})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"address_mode": "around"}, "address_mode must be one of 'wrap'"),
        ({"address_mode": ("wrap",) * 4}, "one to three"),
        ({"filter_mode": "cubic"}, "filter_mode must be one of 'point'"),
        ({"mipmap_filter_mode": "cubic"}, "mipmap_filter_mode must be"),
        ({"read_mode": "float"}, "read_mode must be one of 'element_type'"),
        ({"max_anisotropy": -1}, "max_anisotropy must be at least 0"),
        ({"border_color": (1, 2)}, "border_color must have 4 numbers"),
    ],
)
def test_options_that_there_are_not(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TextureObjectOptions(**fields)  # type: ignore[arg-type]


def test_mistakes_are_named(device: Device, stream: Stream) -> None:
    plain = image(device, stream, (2,), 1, 2)
    resource = ResourceDescriptor.from_opaque_array(plain)
    with pytest.raises(cuprum.InvalidArgument, match="was not made for surfaces"):
        device.create_surface_object(resource=resource)
    with pytest.raises(cuprum.InvalidArgument, match="has 4 bytes, the array 8"):
        plain.copy_from(floats(1), stream=stream)
    with pytest.raises(cuprum.InvalidArgument, match="has 4 bytes, the array 8"):
        plain.copy_to(device.allocate(4), stream=stream)
    with pytest.raises(TypeError, match="expected a OpaqueArray, not Buffer"):
        ResourceDescriptor.from_opaque_array(device.allocate(4))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="resource must be a ResourceDescriptor"):
        device.create_texture_object(resource=plain)  # type: ignore[arg-type]
    memory: Buffer = device.allocate(64)
    with pytest.raises(ValueError, match="size_bytes must be from 1 to the buffer's 64"):
        ResourceDescriptor.from_linear(memory, format="float32", num_channels=1, size_bytes=65)
    with pytest.raises(ValueError, match="must be at least 1"):
        ResourceDescriptor.from_pitch2d(memory, format="uint8", num_channels=1, width=0, height=1, pitch_bytes=32)
    pyramid = device.create_mipmapped_array(MipmappedArrayOptions((2, 2), "uint8", 1, 2))
    with pytest.raises(cuprum.InvalidArgument, match="has 2 levels"):
        pyramid.get_level(2)
    with pytest.raises(cuprum.InvalidArgument, match="give 1 to 2 levels"):
        device.create_mipmapped_array(MipmappedArrayOptions((2, 2), "uint8", 1, 3))
    with pytest.raises(cuprum.InvalidArgument, match="integers cannot be filtered"):
        device.create_texture_object(
            resource=ResourceDescriptor.from_mipmapped_array(pyramid), options={"filter_mode": "linear"}
        )
    with pytest.raises(ValueError, match="a surface object is of an OpaqueArray"):
        device.create_surface_object(resource=ResourceDescriptor.from_mipmapped_array(pyramid))
    plain.close()
    with pytest.raises(cuprum.InvalidState, match="closed"):
        device.create_texture_object(resource=resource)
    with pytest.raises(cuprum.InvalidState, match="closed"):
        plain.copy_from(floats(1, 2), stream=stream)
