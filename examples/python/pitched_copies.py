"""Copies and fills of a part of an image, whose rows are aligned on the device, and without gaps on the host."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, Region

WIDTH, HEIGHT = 200, 100  # of the image, a byte a pixel


def main() -> int:
    device = Device(0)
    stream = device.create_stream()
    pitch = device.row_pitch(WIDTH)
    image = device.allocate(pitch * HEIGHT, stream=stream)
    tile = device.allocate(32 * 32, stream=stream)
    pixels = np.tile(np.arange(WIDTH, dtype=np.uint8), (HEIGHT, 1))

    whole = Region(WIDTH, HEIGHT, row_pitch=pitch)
    origin = Region(32, 32, offset=10 * pitch + 20, row_pitch=pitch)
    target = Region(32, 32, offset=60 * pitch + 100, row_pitch=pitch)
    image.copy_region_from_host(pixels, whole, stream=stream)
    tile.copy_region_from(image, origin.packed(), origin, stream=stream)
    image.copy_region_from(tile, target, stream=stream)
    image.fill_region(255, origin, stream=stream)
    result = np.empty_like(pixels)
    image.copy_region_to_host(result, whole, stream=stream)
    stream.sync()

    expected = pixels.copy()
    expected[60:92, 100:132] = expected[10:42, 20:52]
    expected[10:42, 20:52] = 255
    wrong = int(np.count_nonzero(result != expected))
    print(f"an image of {WIDTH} x {HEIGHT} pixels on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
