"""Images: a kernel blurs a picture, which it reads through a texture and writes through a surface."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch
from cuprum.core.texture import OpaqueArrayOptions, ResourceDescriptor, TextureObjectOptions

# A read half way between four pixels gives their mean; outside the picture its edge goes on.
SOURCE = """
extern "C" __global__ void blur(cudaSurfaceObject_t to, cudaTextureObject_t from, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= height) return;
    float sum = tex2D<float>(from, x, y) + tex2D<float>(from, x + 1, y) + tex2D<float>(from, x, y + 1) +
                tex2D<float>(from, x + 1, y + 1);
    surf2Dwrite(sum / 4, to, 4 * x, y);
}
"""
WIDTH, HEIGHT = 640, 480


def blurred(picture: np.ndarray) -> np.ndarray:
    padded = np.pad(picture, 1, mode="edge").astype(np.float64)
    sums = np.zeros((HEIGHT, WIDTH))
    for j, row_weight in enumerate((1, 2, 1)):
        for i, weight in enumerate((1, 2, 1)):
            sums += row_weight * weight / 16 * padded[j : j + HEIGHT, i : i + WIDTH]
    return sums


def main() -> int:
    device = Device(0)
    blur = Program(SOURCE, "c++").compile().get_kernel("blur")
    stream = device.create_stream()
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    picture = ((x * 7 + y * 13) % 256).astype(np.float32)

    before = device.create_opaque_array(OpaqueArrayOptions((WIDTH, HEIGHT), "float32", 1))
    after = device.create_opaque_array(OpaqueArrayOptions((WIDTH, HEIGHT), "float32", 1, is_surface_load_store=True))
    before.copy_from(picture, stream=stream)
    texture = device.create_texture_object(
        resource=ResourceDescriptor.from_opaque_array(before), options=TextureObjectOptions(filter_mode="linear")
    )
    surface = device.create_surface_object(resource=ResourceDescriptor.from_opaque_array(after))
    config = LaunchConfig(grid=((WIDTH + 127) // 128, HEIGHT), block=128)
    launch(stream, config, blur, surface, texture, WIDTH, HEIGHT)
    result = np.empty_like(picture)
    after.copy_to(result, stream=stream)
    stream.sync()

    wrong = int(np.count_nonzero(np.abs(result - blurred(picture)) > 1e-3))
    print(f"a picture of {WIDTH} x {HEIGHT} pixels, blurred on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
