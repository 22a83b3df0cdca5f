// Copies and fills of a part of an image, whose rows are aligned on the device, and without gaps on the host.
// usage: mono PitchedCopies.exe

using System;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class PitchedCopies {
    private const int Width = 200;    // of the image, a byte a pixel
    private const int Height = 100;

    private static int Main() {
        var device = new Device(0);
        ulong pitch = device.RowPitch(Width);
        var pixels = new byte[Width * Height];
        var result = new byte[Width * Height];
        for (int i = 0; i < pixels.Length; ++i) {
            pixels[i] = (byte)(i % Width);
        }
        using (Stream stream = device.CreateStream())
        using (Buffer image = device.Allocate(pitch * Height, stream))
        using (Buffer tile = device.Allocate(32 * 32, stream)) {
            var all = new Region(Width, Height, rowPitch: pitch);
            var from = new Region(32, 32, offset: 10 * pitch + 20, rowPitch: pitch);
            var to = new Region(32, 32, offset: 60 * pitch + 100, rowPitch: pitch);
            image.CopyRegionFrom(pixels, all, stream: stream);
            tile.CopyRegionFrom(image, from.Packed(), from, stream);
            image.CopyRegionFrom(tile, to, to.Packed(), stream);
            image.FillRegion(from, 255, 1, stream);
            image.CopyRegionTo(result, all, stream: stream);
            stream.Sync();
        }
        int wrong = 0;
        for (int y = 0; y < Height; ++y) {
            for (int x = 0; x < Width; ++x) {
                int expected = x;
                if (x >= 20 && x < 52 && y >= 10 && y < 42) {
                    expected = 255;
                }
                if (x >= 100 && x < 132 && y >= 60 && y < 92) {
                    expected = x - 80;
                }
                wrong += result[y * Width + x] == expected ? 0 : 1;
            }
        }
        Console.WriteLine("an image of {0} x {1} pixels on {2}: {3} wrong", Width, Height, device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
