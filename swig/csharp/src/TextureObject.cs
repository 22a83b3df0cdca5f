using System;
using Cuprum.Native;
using C = Cuprum.Native.CuprumNative;

namespace Cuprum {

/// <summary>What lies outside an image.</summary>
public enum AddressMode {
    /// <summary>Its edge.</summary>
    Clamp = C.CUPRUM_ADDRESS_CLAMP,
    /// <summary>The image again.</summary>
    Wrap = C.CUPRUM_ADDRESS_WRAP,
    /// <summary>Its mirror image.</summary>
    Mirror = C.CUPRUM_ADDRESS_MIRROR,
    /// <summary>The border's colour.</summary>
    Border = C.CUPRUM_ADDRESS_BORDER,
}

/// <summary>What a texture gives between elements.</summary>
public enum FilterMode {
    /// <summary>The nearest one.</summary>
    Point = C.CUPRUM_FILTER_POINT,
    /// <summary>A weighted mean of those around.</summary>
    Linear = C.CUPRUM_FILTER_LINEAR,
}

/// <summary>What kernels get of integers of 8 and 16 bits.</summary>
public enum ReadMode {
    /// <summary>Themselves.</summary>
    ElementType = C.CUPRUM_READ_ELEMENT_TYPE,
    /// <summary>Floats from 0, or -1, to 1.</summary>
    NormalizedFloat = C.CUPRUM_READ_NORMALIZED_FLOAT,
}

/// <summary>What the memory of a <see cref="ResourceDescriptor"/> is.</summary>
public enum ResourceKind {
    /// <summary>An array.</summary>
    OpaqueArray,
    /// <summary>All levels of a mipmapped array.</summary>
    MipmappedArray,
    /// <summary>A row of elements in a buffer.</summary>
    Linear,
    /// <summary>Rows of elements in a buffer.</summary>
    Pitch2D,
}

/// <summary>The memory that a texture or a surface object reads, which it keeps from being collected.</summary>
public sealed class ResourceDescriptor {
    private ResourceDescriptor(ResourceKind kind, IDisposable source) {
        Kind = kind;
        Source = source;
    }

    /// <summary>An array, for textures and surfaces.</summary>
    public static ResourceDescriptor FromOpaqueArray(OpaqueArray array) {
        return new ResourceDescriptor(ResourceKind.OpaqueArray, Require.NotNull(array, nameof(array)));
    }

    /// <summary>All levels of a mipmapped array, for textures.</summary>
    public static ResourceDescriptor FromMipmappedArray(MipmappedArray array) {
        return new ResourceDescriptor(ResourceKind.MipmappedArray, Require.NotNull(array, nameof(array)));
    }

    /// <summary>A row of elements, for textures that kernels read by number.</summary>
    /// <param name="buffer">The buffer.</param>
    /// <param name="format">What one channel is.</param>
    /// <param name="numChannels">Channels of each element: 1, 2 or 4.</param>
    /// <param name="sizeBytes">How many bytes of the buffer; null: all.</param>
    public static ResourceDescriptor FromLinear(Buffer buffer, ArrayFormat format, int numChannels,
                                                ulong? sizeBytes = null) {
        return new ResourceDescriptor(ResourceKind.Linear, Require.NotNull(buffer, nameof(buffer))) {
            Format = format, NumChannels = numChannels, SizeBytes = sizeBytes ?? buffer.Size };
    }

    /// <summary>Rows of elements in a buffer, for textures.</summary>
    /// <param name="buffer">The buffer.</param>
    /// <param name="format">What one channel is.</param>
    /// <param name="numChannels">Channels of each element: 1, 2 or 4.</param>
    /// <param name="width">Elements of each row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pitchBytes">Bytes from row to row.</param>
    public static ResourceDescriptor FromPitch2D(Buffer buffer, ArrayFormat format, int numChannels, ulong width,
                                                 ulong height, ulong pitchBytes) {
        return new ResourceDescriptor(ResourceKind.Pitch2D, Require.NotNull(buffer, nameof(buffer))) {
            Format = format, NumChannels = numChannels, Width = width, Height = height, PitchBytes = pitchBytes };
    }

    /// <summary>What the memory is.</summary>
    public ResourceKind Kind { get; }

    /// <summary>The <see cref="OpaqueArray"/>, <see cref="MipmappedArray"/> or <see cref="Buffer"/>.</summary>
    public IDisposable Source { get; }

    /// <summary>What one channel of an element in a buffer is; null for arrays.</summary>
    public ArrayFormat? Format { get; private set; }

    /// <summary>Channels of each element in a buffer.</summary>
    public int NumChannels { get; private set; }

    /// <summary>Bytes of a row of elements.</summary>
    public ulong SizeBytes { get; private set; }

    /// <summary>Elements of each of several rows.</summary>
    public ulong Width { get; private set; }

    /// <summary>How many rows.</summary>
    public ulong Height { get; private set; }

    /// <summary>Bytes from row to row.</summary>
    public ulong PitchBytes { get; private set; }

    /// <summary>Names the memory.</summary>
    public override string ToString() {
        return Kind + " " + Source;
    }

    internal NativeHandle Use(string operation) {
        switch (Kind) {
        case ResourceKind.OpaqueArray:
            return ((OpaqueArray)Source).Use(operation);
        case ResourceKind.MipmappedArray:
            return ((MipmappedArray)Source).Use(operation);
        default:
            return ((Buffer)Source).Use(operation);
        }
    }
}

/// <summary>How a texture object reads.</summary>
public sealed class TextureObjectOptions {
    /// <summary>What lies outside along x. Without normalized coordinates wrapping and mirroring clamp.</summary>
    public AddressMode AddressModeX { get; set; }

    /// <summary>What lies outside along y.</summary>
    public AddressMode AddressModeY { get; set; }

    /// <summary>What lies outside along z.</summary>
    public AddressMode AddressModeZ { get; set; }

    /// <summary>Sets what lies outside along all axes.</summary>
    public AddressMode AddressMode { set { AddressModeX = AddressModeY = AddressModeZ = value; } }

    /// <summary>What the texture gives between elements.</summary>
    public FilterMode FilterMode { get; set; }

    /// <summary>What kernels get of integers of 8 and 16 bits.</summary>
    public ReadMode ReadMode { get; set; }

    /// <summary>Whether coordinates go from 0 to 1, instead of 0 to the number of elements.</summary>
    public bool NormalizedCoords { get; set; }

    /// <summary>Whether colours of 8 bits become linear.</summary>
    public bool Srgb { get; set; }

    /// <summary>Whether filtering between levels is exact.</summary>
    public bool DisableTrilinearOptimization { get; set; }

    /// <summary>Whether cubes are filtered over their edges.</summary>
    public bool SeamlessCubemap { get; set; }

    /// <summary>How much longer than wide the footprint of a read may be; 0 or more.</summary>
    public int MaxAnisotropy { get; set; }

    /// <summary>What the texture gives between levels.</summary>
    public FilterMode MipmapFilterMode { get; set; }

    /// <summary>What is added to the level of detail.</summary>
    public float MipmapLevelBias { get; set; }

    /// <summary>The lowest level of detail.</summary>
    public float MinMipmapLevelClamp { get; set; }

    /// <summary>The highest level of detail.</summary>
    public float MaxMipmapLevelClamp { get; set; }

    /// <summary>The border's colour, four numbers; null: zeros.</summary>
    public float[] BorderColor { get; set; }

    internal float[] Border() {
        if (BorderColor != null && BorderColor.Length != 4) {
            throw new ArgumentException("BorderColor must have 4 numbers, not " + BorderColor.Length, nameof(BorderColor));
        }
        return BorderColor ?? new float[4];
    }
}

/// <summary>How kernels read an image: an argument of type <c>cudaTextureObject_t</c>. It keeps its array. Dispose of it when
/// no kernel uses it any more.</summary>
public sealed partial class TextureObject : IDisposable {
    private readonly NativeHandle handle;

    private TextureObject(IntPtr handle, ResourceDescriptor resource, TextureObjectOptions options) {
        this.handle = new NativeHandle(handle, C.cuprum_release_texture_object);
        Resource = resource;
        Options = options;
    }

    internal static TextureObject Create(Device device, ResourceDescriptor of, TextureObjectOptions how) {
        NativeHandle source = of.Use(Operations.TextureObjectOfOpaqueArray);
        int on = device.DeviceId;
        int x = (int)how.AddressModeX, y = (int)how.AddressModeY, z = (int)how.AddressModeZ;
        int filter = (int)how.FilterMode, read = (int)how.ReadMode, levels = (int)how.MipmapFilterMode;
        int normalized = how.NormalizedCoords ? 1 : 0, srgb = how.Srgb ? 1 : 0;
        int trilinear = how.DisableTrilinearOptimization ? 1 : 0, seamless = how.SeamlessCubemap ? 1 : 0;
        float bias = how.MipmapLevelBias, least = how.MinMipmapLevelClamp, most = how.MaxMipmapLevelClamp;
        float[] border = how.Border();
        int format = (int)of.Format.GetValueOrDefault();
        IntPtr made;
        switch (of.Kind) {
        case ResourceKind.OpaqueArray:
            C.cuprum_texture_object_of_opaque_array(
                out made, on, source, x, y, z, filter, read, normalized, srgb, trilinear, seamless, how.MaxAnisotropy,
                levels, bias, least, most, border[0], border[1], border[2], border[3]);
            break;
        case ResourceKind.MipmappedArray:
            C.cuprum_texture_object_of_mipmapped_array(
                out made, on, source, x, y, z, filter, read, normalized, srgb, trilinear, seamless, how.MaxAnisotropy,
                levels, bias, least, most, border[0], border[1], border[2], border[3]);
            break;
        case ResourceKind.Linear:
            C.cuprum_texture_object_of_linear(
                out made, on, source, format, of.NumChannels, of.SizeBytes, x, y, z, filter, read, normalized, srgb,
                trilinear, seamless, how.MaxAnisotropy, levels, bias, least, most, border[0], border[1], border[2],
                border[3]);
            break;
        default:
            C.cuprum_texture_object_of_pitch2d(
                out made, on, source, format, of.NumChannels, of.Width, of.Height, of.PitchBytes, x, y, z, filter, read,
                normalized, srgb, trilinear, seamless, how.MaxAnisotropy, levels, bias, least, most, border[0],
                border[1], border[2], border[3]);
            break;
        }
        return new TextureObject(made, of, how);
    }

    /// <summary>What it was made of.</summary>
    public ResourceDescriptor Resource { get; }

    /// <summary>How it reads. Changes have no effect.</summary>
    public TextureObjectOptions Options { get; }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the texture object.</summary>
    public override string ToString() {
        return "TextureObject " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

/// <summary>How kernels write an array, and read what they have written: an argument of type <c>cudaSurfaceObject_t</c>. It
/// keeps the array. Dispose of it when no kernel uses it any more.</summary>
public sealed partial class SurfaceObject : IDisposable {
    private readonly NativeHandle handle;

    private SurfaceObject(IntPtr handle, ResourceDescriptor resource) {
        this.handle = new NativeHandle(handle, C.cuprum_release_surface_object);
        Resource = resource;
    }

    internal static SurfaceObject Create(Device device, ResourceDescriptor resource) {
        if (resource.Kind != ResourceKind.OpaqueArray) {
            throw new ArgumentException("a surface object is of an OpaqueArray, not of " + resource, nameof(resource));
        }
        IntPtr surface;
        C.cuprum_surface_object_create(out surface, device.DeviceId, resource.Use(Operations.SurfaceObjectCreate));
        return new SurfaceObject(surface, resource);
    }

    /// <summary>What it was made of.</summary>
    public ResourceDescriptor Resource { get; }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the surface object.</summary>
    public override string ToString() {
        return "SurfaceObject " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
