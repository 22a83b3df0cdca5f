using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Memory that devices use: their own, or page-locked host memory. Made by
/// <see cref="Device.Allocate(ulong, Stream)"/> and <see cref="MemoryResource.Allocate(ulong, Stream)"/>.</summary>
/// <remarks>
/// <para>Host memory is an array of numbers or of structs without references (the whole of it, in place), or any memory
/// that the caller keeps where it is, given by its address.</para>
/// <para>A copy without a stream is done when it returns, but does not wait for work in nonblocking streams:
/// synchronise them first, or copy in the stream. A copy in a stream is asynchronous: the memory must stay as it is
/// until the stream has passed the copy. An array is pinned until then.</para>
/// <para>Page-locked host memory is used in place (<see cref="AsHostMemory"/>). Between it and a device a copy in a
/// stream returns at once; the driver may wait for other host memory.</para>
/// </remarks>
public sealed partial class Buffer : IDisposable {
    private readonly NativeHandle handle;

    internal Buffer(IntPtr handle, MemoryResource resource = null) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_buffer);
        MemoryResource = resource;
    }

    /// <summary>What it was allocated from; null for memory of a device and borrowed memory.</summary>
    public MemoryResource MemoryResource { get; }

    /// <summary>The memory as the host reads and writes it, without a copy. It is in no stream's order: wait for the
    /// work that uses the memory first. The view keeps the memory, also where this buffer is disposed of, until it is
    /// itself.</summary>
    /// <exception cref="InvalidArgumentException">The host cannot use the memory.</exception>
    public HostMemoryView AsHostMemory() {
        ulong address;
        CuprumNative.cuprum_buffer_host_address(out address, Use(Operations.BufferHostAddress));
        return new HostMemoryView(handle, address, Size);
    }

    /// <summary>Borrows device memory that other code has made; disposing of the result leaves it alone.</summary>
    /// <param name="device">Where it lies.</param>
    /// <param name="address">The device address; the caller keeps the memory alive.</param>
    /// <param name="size">Bytes.</param>
    public static Buffer FromHandle(Device device, ulong address, ulong size) {
        IntPtr buffer;
        CuprumNative.cuprum_buffer_from_native(out buffer, device.DeviceId, address, size);
        return new Buffer(buffer);
    }

    /// <summary>Copies an array into this buffer.</summary>
    /// <param name="source">What to copy.</param>
    /// <param name="stream">Null: done when this returns. Else where the copy takes its turn.</param>
    /// <param name="offset">Where to, bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">It does not fit.</exception>
    /// <exception cref="ArgumentException">T is no number and no struct of numbers.</exception>
    public void CopyFrom<T>(T[] source, Stream stream = null, ulong offset = 0) where T : struct {
        ulong size = ArrayElement<T>.SizeOf(Require.NotNull(source, nameof(source)));
        GCHandle pin = GCHandle.Alloc(source, GCHandleType.Pinned);
        try {
            if (stream != null) {
                stream.PinUntilPassed(source);
            }
            CopyFrom(pin.AddrOfPinnedObject(), size, stream, offset);
        } finally {
            pin.Free();
        }
    }

    /// <summary>Copies from this buffer to an array.</summary>
    /// <param name="destination">What to fill.</param>
    /// <param name="stream">Null: done when this returns. Else where the copy takes its turn.</param>
    /// <param name="offset">Where from, bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">This buffer has not that many bytes from there.</exception>
    /// <exception cref="ArgumentException">T is no number and no struct of numbers.</exception>
    public void CopyTo<T>(T[] destination, Stream stream = null, ulong offset = 0) where T : struct {
        ulong size = ArrayElement<T>.SizeOf(Require.NotNull(destination, nameof(destination)));
        GCHandle pin = GCHandle.Alloc(destination, GCHandleType.Pinned);
        try {
            if (stream != null) {
                stream.PinUntilPassed(destination);
            }
            CopyTo(pin.AddrOfPinnedObject(), size, stream, offset);
        } finally {
            pin.Free();
        }
    }

    /// <summary>Copies host memory into this buffer.</summary>
    /// <param name="source">Its address.</param>
    /// <param name="size">Bytes.</param>
    /// <param name="stream">Null: done when this returns. Else where the copy takes its turn; the caller keeps the
    /// memory where it is until then.</param>
    /// <param name="offset">Where to, bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">It does not fit.</exception>
    public void CopyFrom(IntPtr source, ulong size, Stream stream = null, ulong offset = 0) {
        const string operation = Operations.BufferCopyFromHost;
        RequireAddress(source, size, nameof(source));
        CuprumNative.cuprum_buffer_copy_from_host(
            Use(operation), offset, source, size, Stream.UseOptional(stream, operation));
    }

    /// <summary>Copies from this buffer to host memory.</summary>
    /// <param name="destination">Its address.</param>
    /// <param name="size">Bytes.</param>
    /// <param name="stream">Null: done when this returns. Else where the copy takes its turn; the caller keeps the
    /// memory where it is until then.</param>
    /// <param name="offset">Where from, bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">This buffer has not that many bytes from there.</exception>
    public void CopyTo(IntPtr destination, ulong size, Stream stream = null, ulong offset = 0) {
        const string operation = Operations.BufferCopyToHost;
        RequireAddress(destination, size, nameof(destination));
        CuprumNative.cuprum_buffer_copy_to_host(
            destination, size, Use(operation), offset, Stream.UseOptional(stream, operation));
    }

    private static void RequireAddress(IntPtr address, ulong size, string parameter) {
        if (address == IntPtr.Zero && size != 0) {
            throw new ArgumentNullException(parameter);
        }
    }

    /// <summary>Copies all of another buffer to the start of this one, in stream order.</summary>
    /// <exception cref="InvalidArgumentException">It does not fit.</exception>
    public void CopyFrom(Buffer source, Stream stream) {
        const string operation = Operations.BufferCopy;
        CuprumNative.cuprum_buffer_copy(
            Use(operation), 0, Require.NotNull(source, nameof(source)).Use(operation), 0, source.Size,
            Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Fills the buffer, in stream order.</summary>
    /// <param name="pattern">Its lowest bytes are repeated.</param>
    /// <param name="patternSize">1, 2 or 4; the buffer's size must be a multiple of it.</param>
    /// <param name="stream">Where the fill takes its turn.</param>
    public void Fill(uint pattern, uint patternSize, Stream stream) {
        const string operation = Operations.BufferFill;
        CuprumNative.cuprum_buffer_fill(Use(operation), pattern, patternSize, Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Frees the memory in the order of a stream, as <see cref="SetDeallocationStream"/> says.</summary>
    /// <param name="stream">Where it is freed.</param>
    public void Dispose(Stream stream) {
        if (!IsClosed) {
            SetDeallocationStream(stream);
            Dispose();
        }
    }

    /// <summary>Names the buffer.</summary>
    public override string ToString() {
        return "Buffer " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
