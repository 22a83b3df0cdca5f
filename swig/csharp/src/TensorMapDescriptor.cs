using System;
using System.IO;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>What an element of a tensor is. The driver's numbers (CUtensorMapDataType).</summary>
public enum TensorMapDataType {
    /// <summary>An unsigned integer of 8 bits.</summary>
    UInt8 = 0,
    /// <summary>An unsigned integer of 16 bits.</summary>
    UInt16 = 1,
    /// <summary>An unsigned integer of 32 bits.</summary>
    UInt32 = 2,
    /// <summary>An integer of 32 bits.</summary>
    Int32 = 3,
    /// <summary>An unsigned integer of 64 bits.</summary>
    UInt64 = 4,
    /// <summary>An integer of 64 bits.</summary>
    Int64 = 5,
    /// <summary>A float of 16 bits.</summary>
    Float16 = 6,
    /// <summary>A float of 32 bits.</summary>
    Float32 = 7,
    /// <summary>A float of 64 bits.</summary>
    Float64 = 8,
    /// <summary>A bfloat16.</summary>
    BFloat16 = 9,
    /// <summary>A float of 32 bits; subnormal numbers become zero.</summary>
    Float32Ftz = 10,
    /// <summary>A TF32.</summary>
    TFloat32 = 11,
    /// <summary>A TF32; subnormal numbers become zero.</summary>
    TFloat32Ftz = 12,
}

/// <summary>A tensor in device memory, of which a <see cref="TensorMapDescriptor"/> is made. Dimensions are in the order of
/// C: the last one is the innermost.</summary>
public sealed class TensorMapTensor {
    /// <param name="address">Of its first element, a multiple of 16.</param>
    /// <param name="dataType">What an element is.</param>
    /// <param name="shape">1 to 5 dimensions, in elements.</param>
    /// <param name="strides">In elements, the last one 1; null for a tensor without padding.</param>
    public TensorMapTensor(ulong address, TensorMapDataType dataType, ulong[] shape, ulong[] strides = null) {
        Address = address;
        DataType = dataType;
        Shape = Require.NotNull(shape, nameof(shape));
        Strides = strides;
    }

    /// <summary>A tensor without padding at the beginning of a buffer, which the caller keeps.</summary>
    /// <param name="buffer">The memory.</param>
    /// <param name="dataType">What an element is.</param>
    /// <param name="shape">1 to 5 dimensions, in elements.</param>
    public TensorMapTensor(Buffer buffer, TensorMapDataType dataType, params ulong[] shape)
        : this(Require.NotNull(buffer, nameof(buffer)).Handle, dataType, shape, null) {}

    /// <summary>Of its first element.</summary>
    public ulong Address { get; }

    /// <summary>What an element is.</summary>
    public TensorMapDataType DataType { get; }

    /// <summary>In elements.</summary>
    public ulong[] Shape { get; }

    /// <summary>In elements; null for a tensor without padding.</summary>
    public ulong[] Strides { get; }
}

/// <summary>What all tensor maps have. Numbers are the driver's.</summary>
public sealed class TensorMapDescriptorOptions {
    /// <summary>Of every n-th element of each dimension, 1 to 8; null for all.</summary>
    public int[] ElementStrides { get; set; }

    /// <summary>How channels lie in memory: CUtensorMapInterleave.</summary>
    public int Interleave { get; set; }

    /// <summary>How chunks of 16 bytes change places in shared memory: CUtensorMapSwizzle.</summary>
    public int Swizzle { get; set; }

    /// <summary>How much the L2 cache fetches at once: CUtensorMapL2promotion.</summary>
    public int L2Promotion { get; set; }

    /// <summary>Elements outside the tensor are NaN instead of 0.</summary>
    public bool NanFill { get; set; }
}

/// <summary>A tensor map: what the tensor memory accelerator of a device (compute capability 9.0) copies boxes of a tensor by.
/// A kernel takes it as <c>const __grid_constant__ CUtensorMap</c>. It keeps no memory.</summary>
public sealed class TensorMapDescriptor {
    private const uint DescriptionBytes = 192;    // of cuprum_tensor_map_description

    private readonly int deviceId;

    private TensorMapDescriptor(int deviceId, byte[] bytes) {
        this.deviceId = deviceId;
        Bytes = bytes;
    }

    /// <summary>Boxes of a tensor.</summary>
    /// <param name="device">The device whose memory it is in.</param>
    /// <param name="tensor">The tensor.</param>
    /// <param name="boxDim">The elements of a box in each dimension, 1 to 256.</param>
    /// <param name="options">The rest; null for the defaults.</param>
    /// <exception cref="UnsupportedException">The device has no tensor maps.</exception>
    public static TensorMapDescriptor Tiled(Device device, TensorMapTensor tensor, int[] boxDim,
                                            TensorMapDescriptorOptions options = null) {
        RequireLength(nameof(boxDim), boxDim, tensor.Shape.Length);
        return Encode(device, 0, tensor, boxDim, null, null, 0, 0, options);
    }

    /// <summary>Columns of pixels, as convolutions want them, of tensors of 3 to 5 dimensions.</summary>
    /// <param name="device">The device whose memory it is in.</param>
    /// <param name="tensor">The tensor.</param>
    /// <param name="pixelBoxLowerCorner">An offset for each dimension but the first and the last.</param>
    /// <param name="pixelBoxUpperCorner">The same, from the tensor's last pixel.</param>
    /// <param name="channelsPerPixel">Elements of the last dimension.</param>
    /// <param name="pixelsPerColumn">Pixels of a column.</param>
    /// <param name="options">The rest; null for the defaults.</param>
    public static TensorMapDescriptor Im2Col(Device device, TensorMapTensor tensor, int[] pixelBoxLowerCorner,
                                             int[] pixelBoxUpperCorner, int channelsPerPixel, int pixelsPerColumn,
                                             TensorMapDescriptorOptions options = null) {
        RequireLength(nameof(pixelBoxLowerCorner), pixelBoxLowerCorner, tensor.Shape.Length - 2);
        RequireLength(nameof(pixelBoxUpperCorner), pixelBoxUpperCorner, tensor.Shape.Length - 2);
        return Encode(device, 1, tensor, null, pixelBoxLowerCorner, pixelBoxUpperCorner, channelsPerPixel,
                      pixelsPerColumn, options);
    }

    /// <summary>Columns along the dimension before the last alone (compute capability 10.0).</summary>
    /// <param name="device">The device whose memory it is in.</param>
    /// <param name="tensor">The tensor.</param>
    /// <param name="pixelBoxLowerCornerWidth">An offset from the first pixel.</param>
    /// <param name="pixelBoxUpperCornerWidth">An offset from the last pixel.</param>
    /// <param name="channelsPerPixel">Elements of the last dimension.</param>
    /// <param name="pixelsPerColumn">Pixels of a column.</param>
    /// <param name="w128">Columns of 128 pixels.</param>
    /// <param name="options">The rest; null for the defaults.</param>
    public static TensorMapDescriptor Im2ColWide(Device device, TensorMapTensor tensor, int pixelBoxLowerCornerWidth,
                                                 int pixelBoxUpperCornerWidth, int channelsPerPixel,
                                                 int pixelsPerColumn, bool w128 = false,
                                                 TensorMapDescriptorOptions options = null) {
        return Encode(device, w128 ? 3 : 2, tensor, null, new[] {pixelBoxLowerCornerWidth},
                      new[] {pixelBoxUpperCornerWidth}, channelsPerPixel, pixelsPerColumn, options);
    }

    /// <summary>The device whose memory it is of.</summary>
    public Device Device { get { return new Device(deviceId); } }

    /// <summary>Its 128 bytes, which must not be written to.</summary>
    internal byte[] Bytes { get; private set; }

    /// <summary>A copy of its 128 bytes.</summary>
    public byte[] ToByteArray() {
        return (byte[])Bytes.Clone();
    }

    /// <summary>The same tensor elsewhere.</summary>
    /// <param name="address">The address of its first element.</param>
    public void ReplaceAddress(ulong address) {
        GCHandle pin = GCHandle.Alloc(Bytes, GCHandleType.Pinned);
        try {
            IntPtr map;
            ulong size;
            CuprumNative.cuprum_tensor_map_replace_address(out map, out size, deviceId, pin.AddrOfPinnedObject(),
                                                           (ulong)Bytes.Length, address);
            Bytes = Copy(map, size);
        } finally {
            pin.Free();
        }
    }

    /// <summary>Names the device.</summary>
    public override string ToString() {
        return "TensorMapDescriptor of device " + deviceId;
    }

    private static TensorMapDescriptor Encode(Device device, int mode, TensorMapTensor tensor, int[] box, int[] lower,
                                              int[] upper, int channels, int pixels,
                                              TensorMapDescriptorOptions options) {
        options = options ?? new TensorMapDescriptorOptions();
        int rank = tensor.Shape.Length;
        if (rank < 1 || rank > 5) {
            throw new ArgumentException("a tensor map has 1 to 5 dimensions, not " + rank);
        }
        if (tensor.Strides != null && tensor.Strides.Length != rank) {
            throw new ArgumentException("strides must have " + rank + " numbers, not " + tensor.Strides.Length);
        }
        if (options.ElementStrides != null) {
            RequireLength(nameof(options.ElementStrides), options.ElementStrides, rank);
        }
        var description = new MemoryStream();
        var writer = new BinaryWriter(description);
        foreach (int number in new[] {(int)DescriptionBytes, mode, (int)tensor.DataType, rank}) {
            writer.Write(number);
        }
        writer.Write(tensor.Address);
        foreach (int number in new[] {options.Interleave, options.Swizzle, options.L2Promotion,
                                      options.NanFill ? 1 : 0}) {
            writer.Write(number);
        }
        foreach (ulong[] numbers in new[] {tensor.Shape, tensor.Strides}) {
            for (int i = 0; i < 5; ++i) {
                writer.Write(numbers != null && i < numbers.Length ? numbers[i] : 0UL);
            }
        }
        Write(writer, box, 5);
        Write(writer, options.ElementStrides, 5);
        Write(writer, lower, 3);
        Write(writer, upper, 3);
        writer.Write(channels);
        writer.Write(pixels);
        byte[] bytes = description.ToArray();
        GCHandle pin = GCHandle.Alloc(bytes, GCHandleType.Pinned);
        try {
            IntPtr map;
            ulong size;
            CuprumNative.cuprum_tensor_map_encode(out map, out size, device.DeviceId, pin.AddrOfPinnedObject(),
                                                  (ulong)bytes.Length);
            return new TensorMapDescriptor(device.DeviceId, Copy(map, size));
        } finally {
            pin.Free();
        }
    }

    private static void RequireLength(string name, int[] numbers, int length) {
        if (Require.NotNull(numbers, name).Length != length) {
            throw new ArgumentException(name + " must have " + length + " numbers, not " + numbers.Length);
        }
    }

    private static void Write(BinaryWriter writer, int[] numbers, int room) {
        for (int i = 0; i < room; ++i) {
            writer.Write(numbers != null && i < numbers.Length ? numbers[i] : 0);
        }
    }

    private static byte[] Copy(IntPtr bytes, ulong size) {
        var copy = new byte[(int)size];
        Marshal.Copy(bytes, copy, 0, copy.Length);
        return copy;
    }
}

}
