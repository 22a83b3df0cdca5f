using System;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;
using Stream = Cuprum.Stream;

/// <summary>Tensor maps: refused where the device has none, else made and given to kernels.</summary>
[TestFixture]
public class TensorMapTest : LeavesNothing {
    private const string Source = @"
        struct alignas(64) Map { unsigned long long words[16]; };
        extern ""C"" __global__ void copy_map(const __grid_constant__ Map map, unsigned long long* out) {
            out[threadIdx.x] = map.words[threadIdx.x];
        }";

    private readonly Device device = new Device(0);

    [Test]
    public void AKernelIsGivenTheMap() {
        using (Buffer memory = device.Allocate(8192ul)) {
            var tensor = new TensorMapTensor(memory, TensorMapDataType.Float32, 32, 64);
            if (device.ComputeCapability.Major < 9) {
                Assert.Throws<UnsupportedException>(() => TensorMapDescriptor.Tiled(device, tensor, new[] {8, 16}));
                return;
            }
            TensorMapDescriptor map = TensorMapDescriptor.Tiled(device, tensor, new[] {8, 16});
            byte[] before = map.ToByteArray();
            using (var program = new Program(Source))
            using (ObjectCode code = program.Compile())
            using (Kernel kernel = code.GetKernel("copy_map"))
            using (Stream stream = device.CreateStream())
            using (Buffer result = device.Allocate(128ul)) {
                stream.Launch(new LaunchConfig(1, 16), kernel, map, result);
                stream.Sync();
                var found = new byte[128];
                result.CopyTo(found);
                CollectionAssert.AreEqual(before, found);
            }
            map.ReplaceAddress(memory.Handle + 1024);
            CollectionAssert.AreNotEqual(before, map.ToByteArray());
            map.ReplaceAddress(memory.Handle);
            CollectionAssert.AreEqual(before, map.ToByteArray());
            var pixels = new TensorMapTensor(memory, TensorMapDataType.Float32, 1, 8, 8, 16);
            Assert.AreEqual(128, TensorMapDescriptor.Im2Col(device, pixels, new[] {-1, -1}, new[] {-1, -1}, 16, 64)
                                     .ToByteArray().Length);
        }
    }

    [Test]
    public void NumbersFitTheTensor() {
        using (Buffer memory = device.Allocate(8192ul)) {
            var tensor = new TensorMapTensor(memory, TensorMapDataType.Float32, 32, 64);
            Assert.Throws<ArgumentException>(() => TensorMapDescriptor.Tiled(device, tensor, new[] {8}));
            Assert.Throws<ArgumentException>(
                () => TensorMapDescriptor.Im2Col(device, tensor, new[] {1}, new[] {1}, 1, 1));
        }
    }
}
