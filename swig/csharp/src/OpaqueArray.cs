using System;
using System.Runtime.InteropServices;
using Cuprum.Native;
using C = Cuprum.Native.CuprumNative;

namespace Cuprum {

/// <summary>What one channel of an array's elements is.</summary>
public enum ArrayFormat {
    /// <summary>An unsigned integer of 8 bits.</summary>
    UInt8 = C.CUPRUM_ARRAY_UINT8,
    /// <summary>An unsigned integer of 16 bits.</summary>
    UInt16 = C.CUPRUM_ARRAY_UINT16,
    /// <summary>An unsigned integer of 32 bits.</summary>
    UInt32 = C.CUPRUM_ARRAY_UINT32,
    /// <summary>A signed integer of 8 bits.</summary>
    Int8 = C.CUPRUM_ARRAY_INT8,
    /// <summary>A signed integer of 16 bits.</summary>
    Int16 = C.CUPRUM_ARRAY_INT16,
    /// <summary>A signed integer of 32 bits.</summary>
    Int32 = C.CUPRUM_ARRAY_INT32,
    /// <summary>A float of 16 bits.</summary>
    Float16 = C.CUPRUM_ARRAY_FLOAT16,
    /// <summary>A float of 32 bits.</summary>
    Float32 = C.CUPRUM_ARRAY_FLOAT32,
}

/// <summary>How many elements an array has; 0 for dimensions that there are not.</summary>
public struct ArrayShape : IEquatable<ArrayShape> {
    /// <summary>Of one, two or three dimensions.</summary>
    public ArrayShape(ulong width, ulong height = 0, ulong depth = 0) {
        Width = width;
        Height = height;
        Depth = depth;
    }

    /// <summary>Along the first dimension.</summary>
    public ulong Width { get; }

    /// <summary>Along the second one.</summary>
    public ulong Height { get; }

    /// <summary>Along the third one.</summary>
    public ulong Depth { get; }

    /// <summary>Whether all sizes are the same.</summary>
    public bool Equals(ArrayShape other) {
        return Width == other.Width && Height == other.Height && Depth == other.Depth;
    }

    /// <summary>Whether all sizes are the same.</summary>
    public override bool Equals(object other) {
        return other is ArrayShape && Equals((ArrayShape)other);
    }

    /// <summary>Equal for the same sizes.</summary>
    public override int GetHashCode() {
        return unchecked((int)(Width * 31 * 31 + Height * 31 + Depth));
    }

    /// <summary>"6 x 4"</summary>
    public override string ToString() {
        return Width + (Height == 0 ? "" : " x " + Height) + (Depth == 0 ? "" : " x " + Depth);
    }
}

/// <summary>Options for an array.</summary>
public class OpaqueArrayOptions {
    /// <summary>How many elements; of level 0.</summary>
    public ArrayShape Shape { get; set; }

    /// <summary>What one channel is.</summary>
    public ArrayFormat Format { get; set; } = ArrayFormat.Float32;

    /// <summary>Channels of each element: 1, 2 or 4.</summary>
    public int NumChannels { get; set; } = 1;

    /// <summary>Whether a surface object can be made of it.</summary>
    public bool IsSurfaceLoadStore { get; set; }

    /// <summary>What 0 would be the default of is refused where it is given.</summary>
    internal static int Given(int number) {
        return number == 0 ? -1 : number;
    }
}

/// <summary>Options for a mipmapped array.</summary>
public sealed class MipmappedArrayOptions : OpaqueArrayOptions {
    /// <summary>At least 1, at most as often as the longest side can be halved, and one.</summary>
    public int NumLevels { get; set; } = 1;
}

/// <summary>A CUDA array: kernels read it through a <see cref="TextureObject"/> and write it through a
/// <see cref="SurfaceObject"/>. Its elements are filled and read by copies alone.</summary>
/// <remarks>It lives until it and what was made of it are disposed of.</remarks>
public sealed partial class OpaqueArray : IDisposable {
    private readonly NativeHandle handle;

    internal OpaqueArray(IntPtr handle) {
        this.handle = new NativeHandle(handle, C.cuprum_release_opaque_array);
    }

    internal static OpaqueArray Create(Device device, OpaqueArrayOptions options) {
        IntPtr array;
        C.cuprum_opaque_array_create(
            out array, device.DeviceId, (int)options.Format, OpaqueArrayOptions.Given(options.NumChannels), 0,
            options.Shape.Width, options.Shape.Height, options.Shape.Depth, options.IsSurfaceLoadStore ? 1 : 0, 0);
        return new OpaqueArray(array);
    }

    /// <summary>Borrows an array that other code has made, as a graphics library, and destroys after the object is disposed
    /// of.</summary>
    /// <param name="handle">The CUarray.</param>
    /// <param name="device">The device that it is on.</param>
    /// <exception cref="InvalidArgumentException">The handle is 0.</exception>
    public static OpaqueArray FromHandle(ulong handle, Device device) {
        IntPtr array;
        C.cuprum_opaque_array_from_native(out array, Require.NotNull(device, nameof(device)).DeviceId, handle);
        return new OpaqueArray(array);
    }

    /// <summary>How many elements it has.</summary>
    public ArrayShape Shape {
        get {
            ulong width, height, depth;
            C.cuprum_opaque_array_shape(out width, out height, out depth, Use(Operations.OpaqueArrayShape));
            return new ArrayShape(width, height, depth);
        }
    }

    /// <summary>What one channel of an element is.</summary>
    public ArrayFormat Format {
        get {
            int format;
            C.cuprum_opaque_array_format(out format, Use(Operations.OpaqueArrayFormat));
            return (ArrayFormat)format;
        }
    }

    /// <summary>Copies all elements out of a buffer, row after row without gaps, in the stream's order.</summary>
    /// <exception cref="InvalidArgumentException">The buffer is smaller than the array.</exception>
    public void CopyFrom(Buffer source, Stream stream) {
        const string operation = Operations.OpaqueArrayCopyFrom;
        C.cuprum_opaque_array_copy_from(
            Use(operation), Require.NotNull(source, nameof(source)).Use(operation),
            Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Copies all elements into a buffer, row after row without gaps, in the stream's order.</summary>
    /// <exception cref="InvalidArgumentException">The buffer is smaller than the array.</exception>
    public void CopyTo(Buffer destination, Stream stream) {
        const string operation = Operations.OpaqueArrayCopyTo;
        C.cuprum_opaque_array_copy_to(
            Use(operation), Require.NotNull(destination, nameof(destination)).Use(operation),
            Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Copies all elements out of an array of the program's, row after row without gaps, in the stream's order.
    /// </summary>
    /// <param name="source">What to copy; it is pinned until the stream has passed it, and must not be changed before that.
    /// </param>
    /// <param name="stream">The stream to copy in.</param>
    /// <exception cref="InvalidArgumentException">There are fewer bytes than the array has.</exception>
    public void CopyFrom<T>(T[] source, Stream stream) where T : struct {
        const string operation = Operations.OpaqueArrayCopyFromHost;
        ulong size = ArrayElement<T>.SizeOf(Require.NotNull(source, nameof(source)));
        Require.NotNull(stream, nameof(stream));
        GCHandle pin = GCHandle.Alloc(source, GCHandleType.Pinned);
        try {
            stream.PinUntilPassed(source);
            C.cuprum_opaque_array_copy_from_host(
                Use(operation), pin.AddrOfPinnedObject(), size, stream.Use(operation));
        } finally {
            pin.Free();
        }
    }

    /// <summary>Copies all elements into an array of the program's, row after row without gaps, in the stream's order.
    /// </summary>
    /// <param name="destination">What to fill; it is pinned until the stream has passed it.</param>
    /// <param name="stream">The stream to copy in.</param>
    /// <exception cref="InvalidArgumentException">There is room for fewer bytes than the array has.</exception>
    public void CopyTo<T>(T[] destination, Stream stream) where T : struct {
        const string operation = Operations.OpaqueArrayCopyToHost;
        ulong size = ArrayElement<T>.SizeOf(Require.NotNull(destination, nameof(destination)));
        Require.NotNull(stream, nameof(stream));
        GCHandle pin = GCHandle.Alloc(destination, GCHandleType.Pinned);
        try {
            stream.PinUntilPassed(destination);
            C.cuprum_opaque_array_copy_to_host(Use(operation), pin.AddrOfPinnedObject(), size, stream.Use(operation));
        } finally {
            pin.Free();
        }
    }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the array.</summary>
    public override string ToString() {
        return "OpaqueArray " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

/// <summary>An image in several sizes, each half as large as the one before: levels, which are arrays.</summary>
/// <remarks>It lives until it, its levels and what was made of them are disposed of.</remarks>
public sealed partial class MipmappedArray : IDisposable {
    private readonly NativeHandle handle;

    internal MipmappedArray(IntPtr handle) {
        this.handle = new NativeHandle(handle, C.cuprum_release_mipmapped_array);
    }

    internal static MipmappedArray Create(Device device, MipmappedArrayOptions options) {
        IntPtr array;
        C.cuprum_mipmapped_array_create(
            out array, device.DeviceId, (int)options.Format, OpaqueArrayOptions.Given(options.NumChannels),
            OpaqueArrayOptions.Given(options.NumLevels), options.Shape.Width, options.Shape.Height, options.Shape.Depth,
            options.IsSurfaceLoadStore ? 1 : 0, 0);
        return new MipmappedArray(array);
    }

    /// <summary>How many elements level 0 has.</summary>
    public ArrayShape Shape {
        get {
            ulong width, height, depth;
            C.cuprum_mipmapped_array_shape(out width, out height, out depth, Use(Operations.MipmappedArrayShape));
            return new ArrayShape(width, height, depth);
        }
    }

    /// <summary>What one channel of an element is.</summary>
    public ArrayFormat Format {
        get {
            int format;
            C.cuprum_mipmapped_array_format(out format, Use(Operations.MipmappedArrayFormat));
            return (ArrayFormat)format;
        }
    }

    /// <summary>The array of one level, which keeps the whole; the caller disposes of it.</summary>
    /// <param name="level">0 is the largest.</param>
    /// <exception cref="InvalidArgumentException">There is no such level.</exception>
    public OpaqueArray GetLevel(int level) {
        IntPtr array;
        C.cuprum_mipmapped_array_get_level(out array, Use(Operations.MipmappedArrayGetLevel), level);
        return new OpaqueArray(array);
    }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the array.</summary>
    public override string ToString() {
        return "MipmappedArray " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
