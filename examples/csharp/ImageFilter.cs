// Images: a kernel blurs a picture, which it reads through a texture and writes through a surface.
// usage: mono ImageFilter.exe

using System;
using Cuprum;

internal static class ImageFilter {
    // A read half way between four pixels gives their mean; outside the picture its edge goes on.
    private const string Source = @"
extern ""C"" __global__ void blur(cudaSurfaceObject_t to, cudaTextureObject_t from, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= height) return;
    float sum = tex2D<float>(from, x, y) + tex2D<float>(from, x + 1, y) + tex2D<float>(from, x, y + 1) +
                tex2D<float>(from, x + 1, y + 1);
    surf2Dwrite(sum / 4, to, 4 * x, y);
}
";
    private const int Width = 640;
    private const int Height = 480;

    private static float Pixel(int x, int y) {
        return (Math.Max(0, Math.Min(x, Width - 1)) * 7 + Math.Max(0, Math.Min(y, Height - 1)) * 13) % 256;
    }

    private static float Blurred(int x, int y) {
        float sum = 0;
        for (int j = -1; j <= 1; ++j) {
            for (int i = -1; i <= 1; ++i) {
                sum += (2 - Math.Abs(i)) * (2 - Math.Abs(j)) * Pixel(x + i, y + j);
            }
        }
        return sum / 16;
    }

    private static int Main() {
        var device = new Device(0);
        var picture = new float[Width * Height];
        for (int k = 0; k < picture.Length; ++k) {
            picture[k] = Pixel(k % Width, k / Width);
        }
        var result = new float[picture.Length];
        var shape = new ArrayShape(Width, Height);
        using (var program = new Program(Source, new ProgramOptions { Name = "blur.cu" }))
        using (ObjectCode code = program.Compile())
        using (Kernel blur = code.GetKernel("blur"))
        using (Stream stream = device.CreateStream())
        using (OpaqueArray before = device.CreateOpaqueArray(new OpaqueArrayOptions { Shape = shape }))
        using (OpaqueArray after =
                   device.CreateOpaqueArray(new OpaqueArrayOptions { Shape = shape, IsSurfaceLoadStore = true }))
        using (TextureObject texture = device.CreateTextureObject(
                   ResourceDescriptor.FromOpaqueArray(before), new TextureObjectOptions { FilterMode = FilterMode.Linear }))
        using (SurfaceObject surface = device.CreateSurfaceObject(ResourceDescriptor.FromOpaqueArray(after))) {
            before.CopyFrom(picture, stream);
            var config = new LaunchConfig(new Dimensions((Width + 127) / 128, Height), 128);
            stream.Launch(config, blur, surface, texture, Width, Height);
            after.CopyTo(result, stream);
            stream.Sync();
        }
        int wrong = 0;
        for (int k = 0; k < result.Length; ++k) {
            wrong += Math.Abs(result[k] - Blurred(k % Width, k / Width)) > 1e-3f ? 1 : 0;
        }
        Console.WriteLine("a picture of {0} x {1} pixels, blurred on {2}: {3} wrong", Width, Height, device.Name, wrong);
        return wrong == 0 ? 0 : 1;
    }
}
