using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Arrays, texture and surface objects.</summary>
[TestFixture]
public class ImageTest : LeavesNothing {
    private const string Source = @"
extern ""C"" __global__ void read(float* out, cudaTextureObject_t t, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
extern ""C"" __global__ void between(float* out, cudaTextureObject_t t, float x, float y) {
    *out = tex2D<float>(t, x, y);
}
extern ""C"" __global__ void fetch(float* out, cudaTextureObject_t t) {
    out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}
extern ""C"" __global__ void level(float* out, cudaTextureObject_t t, float detail) {
    *out = tex2DLod<float>(t, 0.5f, 0.5f, detail);
}
extern ""C"" __global__ void write(float*, cudaSurfaceObject_t s) {
    surf2Dwrite((float)(100 * blockIdx.x + threadIdx.x), s, 4 * threadIdx.x, blockIdx.x);
}
";
    private readonly Device device = new Device(0);

    private float[] Run(string name, int count, LaunchConfig config, params object[] rest) {
        var values = new float[count];
        using (var program = new Program(Source))
        using (ObjectCode code = program.Compile())
        using (Kernel kernel = code.GetKernel(name))
        using (Stream stream = device.CreateStream())
        using (Buffer result = device.Allocate((long)(4 * count))) {
            stream.Launch(config, kernel, new object[] { result }.Concat(rest).ToArray());
            stream.Sync();
            result.CopyTo(values);
        }
        return values;
    }

    private OpaqueArray Image(ArrayShape shape, bool forSurfaces, params float[] values) {
        OpaqueArray array =
            device.CreateOpaqueArray(new OpaqueArrayOptions { Shape = shape, IsSurfaceLoadStore = forSurfaces });
        using (Stream stream = device.CreateStream()) {
            array.CopyFrom(values, stream);
            stream.Sync();
        }
        return array;
    }

    [Test]
    public void AnArrayKnowsItsShape() {
        using (OpaqueArray array = device.CreateOpaqueArray(new OpaqueArrayOptions {
                   Shape = new ArrayShape(6, 4, 2), Format = ArrayFormat.UInt16, NumChannels = 4,
                   IsSurfaceLoadStore = true })) {
            Assert.AreEqual(new ArrayShape(6, 4, 2), array.Shape);
            Assert.AreEqual(ArrayFormat.UInt16, array.Format);
            Assert.AreEqual(4, array.NumChannels);
            Assert.AreEqual(8, array.ElementBytes);
            Assert.AreEqual(6UL * 4 * 2 * 8, array.SizeBytes);
            Assert.IsTrue(array.IsSurfaceLoadStore);
            Assert.AreEqual(device, array.Device);
            Assert.AreNotEqual(0UL, array.Handle);
            using (OpaqueArray borrowed = OpaqueArray.FromHandle(array.Handle, device)) {
                Assert.AreEqual(array.Shape, borrowed.Shape);
            }
        }
    }

    [Test]
    public void ElementsGoInAndOut() {
        var values = new float[] { 1, 2, 3, 4, 5, 6 };
        var found = new float[6];
        using (OpaqueArray first = Image(new ArrayShape(3, 2), false, values))
        using (OpaqueArray second = Image(new ArrayShape(3, 2), false, new float[6]))
        using (Stream stream = device.CreateStream())
        using (Buffer between = device.Allocate(24L)) {
            first.CopyTo(between, stream);
            second.CopyFrom(between, stream);
            second.CopyTo(found, stream);
            stream.Sync();
        }
        Assert.AreEqual(values, found);
    }

    [Test]
    public void ATextureReadsAnArrayThatItKeeps() {
        OpaqueArray array = Image(new ArrayShape(3, 2), false, 1, 2, 3, 4, 5, 6);
        ResourceDescriptor resource = ResourceDescriptor.FromOpaqueArray(array);
        using (TextureObject texture = device.CreateTextureObject(
                   resource, new TextureObjectOptions { FilterMode = FilterMode.Linear })) {
            array.Dispose();
            Assert.AreEqual(new float[] { 1, 2, 3, 4, 5, 6 }, Run("read", 6, new LaunchConfig(2, 3), texture, 3, 2));
            Assert.AreEqual(new float[] { 3 }, Run("between", 1, new LaunchConfig(1, 1), texture.Handle, 1f, 1f));
            Assert.AreSame(resource, texture.Resource);
            Assert.AreEqual(FilterMode.Linear, texture.Options.FilterMode);
        }
        Assert.Throws<InvalidStateException>(() => device.CreateTextureObject(resource));
    }

    [Test]
    public void OutsideIsWhatTheAddressModeSays() {
        using (OpaqueArray array = Image(new ArrayShape(2, 2), false, 1, 2, 3, 4)) {
            var modes = new[] { AddressMode.Clamp, AddressMode.Border, AddressMode.Wrap, AddressMode.Mirror };
            var expected = new float[] { 2, 9, 1, 2 };
            for (int k = 0; k < 4; ++k) {
                bool normalized = k > 1;
                var options = new TextureObjectOptions {
                    AddressMode = modes[k], NormalizedCoords = normalized, BorderColor = new float[] { 9, 0, 0, 0 } };
                using (TextureObject texture =
                           device.CreateTextureObject(ResourceDescriptor.FromOpaqueArray(array), options)) {
                    Assert.AreEqual(new[] { expected[k] }, Run("between", 1, new LaunchConfig(1, 1), texture,
                                                               normalized ? 1.25f : 7f, normalized ? 0.25f : 0.5f));
                }
            }
        }
    }

    [Test]
    public void ATextureReadsABuffer() {
        using (Buffer memory = device.Allocate(1024L)) {
            memory.CopyFrom(Enumerable.Range(0, 256).Select(k => (float)k).ToArray());
            using (TextureObject linear = device.CreateTextureObject(
                       ResourceDescriptor.FromLinear(memory, ArrayFormat.Float32, 1, 16)))
            using (TextureObject rows = device.CreateTextureObject(
                       ResourceDescriptor.FromPitch2D(memory, ArrayFormat.Float32, 1, 3, 2, 512))) {
                Assert.AreEqual(new float[] { 0, 1, 2, 3, 0, 0 }, Run("fetch", 6, new LaunchConfig(1, 6), linear));
                Assert.AreEqual(new float[] { 0, 1, 2, 128, 129, 130 },
                                Run("read", 6, new LaunchConfig(2, 3), rows, 3, 2));
            }
        }
    }

    [Test]
    public void LevelsAreArrays() {
        using (MipmappedArray pyramid = device.CreateMipmappedArray(
                   new MipmappedArrayOptions { Shape = new ArrayShape(4, 4), NumLevels = 3 }))
        using (Stream stream = device.CreateStream()) {
            Assert.AreEqual(3, pyramid.NumLevels);
            Assert.AreEqual(new ArrayShape(4, 4), pyramid.Shape);
            for (int level = 0; level < 3; ++level) {
                using (OpaqueArray part = pyramid.GetLevel(level)) {
                    part.CopyFrom(Enumerable.Repeat(10f * level, 16 >> 2 * level).ToArray(), stream);
                    stream.Sync();
                }
            }
            using (TextureObject texture = device.CreateTextureObject(
                       ResourceDescriptor.FromMipmappedArray(pyramid),
                       new TextureObjectOptions { NormalizedCoords = true, MipmapFilterMode = FilterMode.Linear,
                                                  MaxMipmapLevelClamp = 2 })) {
                Assert.AreEqual(new float[] { 15 }, Run("level", 1, new LaunchConfig(1, 1), texture, 1.5f));
            }
            Assert.Throws<InvalidArgumentException>(() => pyramid.GetLevel(3));
        }
    }

    [Test]
    public void ASurfaceWritesWhatATextureReads() {
        using (OpaqueArray array = Image(new ArrayShape(3, 2), true, new float[6]))
        using (SurfaceObject surface = device.CreateSurfaceObject(ResourceDescriptor.FromOpaqueArray(array)))
        using (TextureObject texture = device.CreateTextureObject(ResourceDescriptor.FromOpaqueArray(array))) {
            Run("write", 1, new LaunchConfig(2, 3), surface);
            Assert.AreEqual(new float[] { 0, 1, 2, 100, 101, 102 },
                            Run("read", 6, new LaunchConfig(2, 3), texture, 3, 2));
        }
    }

    [Test]
    public void MistakesAreNamed() {
        using (OpaqueArray plain = Image(new ArrayShape(2), false, 1, 2))
        using (Stream stream = device.CreateStream())
        using (Buffer small = device.Allocate(4L)) {
            var error = Assert.Throws<InvalidArgumentException>(
                () => device.CreateSurfaceObject(ResourceDescriptor.FromOpaqueArray(plain)));
            StringAssert.Contains("was not made for surfaces", error.Message);
            Assert.Throws<InvalidArgumentException>(() => plain.CopyTo(small, stream));
            Assert.Throws<InvalidArgumentException>(() => plain.CopyFrom(new float[1], stream));
            foreach (int channels in new[] { 0, 3, -1 }) {
                Assert.Throws<InvalidArgumentException>(
                    () => device.CreateOpaqueArray(
                        new OpaqueArrayOptions { Shape = new ArrayShape(4), NumChannels = channels }));
            }
            Assert.Throws<InvalidArgumentException>(() => device.CreateOpaqueArray(new OpaqueArrayOptions()));
            Assert.Throws<InvalidArgumentException>(
                () => device.CreateMipmappedArray(
                    new MipmappedArrayOptions { Shape = new ArrayShape(2), NumLevels = 3 }));
            Assert.Throws<ArgumentException>(
                () => device.CreateTextureObject(ResourceDescriptor.FromOpaqueArray(plain),
                                                 new TextureObjectOptions { BorderColor = new float[2] }));
            Assert.Throws<ArgumentException>(
                () => device.CreateSurfaceObject(ResourceDescriptor.FromLinear(small, ArrayFormat.Float32, 1)));
            Assert.Throws<ArgumentNullException>(() => ResourceDescriptor.FromOpaqueArray(null));
            Assert.Throws<ArgumentNullException>(() => device.CreateTextureObject(null));
        }
    }

    [Test]
    public void ClosedObjectsSaySo() {
        OpaqueArray array = Image(new ArrayShape(2), false, 1, 2);
        TextureObject texture = device.CreateTextureObject(ResourceDescriptor.FromOpaqueArray(array));
        texture.Dispose();
        texture.Dispose();
        array.Dispose();
        Assert.IsTrue(array.IsClosed);
        Assert.Throws<InvalidStateException>(() => { var shape = array.Shape; });
        Assert.Throws<InvalidStateException>(() => { var handle = texture.Handle; });
        Assert.Throws<InvalidStateException>(() => Run("between", 1, new LaunchConfig(1, 1), texture, 0f, 0f));
    }
}
