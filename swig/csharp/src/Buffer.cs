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
public partial class Buffer : IDisposable {
    private readonly NativeHandle handle;
    private readonly MemoryResource resource;

    internal Buffer(IntPtr handle, MemoryResource resource = null) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_buffer);
        this.resource = resource;
    }

    private Buffer(RegisteredMemoryHandle handle) {
        this.handle = handle;
    }

    /// <summary>What the buffer was allocated from. For memory that a device allocated in a stream, this is a pool of
    /// the device, which the caller disposes of. Null for memory that a device allocated without a stream, and for
    /// borrowed memory.</summary>
    public MemoryResource MemoryResource {
        get {
            if (resource != null) {
                return resource;
            }
            IntPtr found;
            CuprumNative.cuprum_buffer_memory_resource(out found, Use(Operations.BufferMemoryResource));
            return found == IntPtr.Zero ? null : MemoryResource.OfHandle(found);
        }
    }

    /// <summary>The memory as the host reads and writes it, without a copy. It is in no stream's order: wait for the
    /// work that uses the memory first. The view keeps the memory alive until the view is disposed of, even after this
    /// buffer is.</summary>
    /// <exception cref="InvalidArgumentException">The host cannot use the memory.</exception>
    public HostMemoryView AsHostMemory() {
        ulong address;
        CuprumNative.cuprum_buffer_host_address(out address, Use(Operations.BufferHostAddress));
        return new HostMemoryView(handle, address, Size);
    }

    /// <summary>Borrows device memory that other code has made; disposing of the result leaves it alone.</summary>
    /// <param name="device">The device that the memory is on.</param>
    /// <param name="address">The device address; the caller keeps the memory alive.</param>
    /// <param name="size">The size in bytes.</param>
    public static Buffer FromHandle(Device device, ulong address, ulong size) {
        IntPtr buffer;
        CuprumNative.cuprum_buffer_from_native(out buffer, device.DeviceId, address, size);
        return new Buffer(buffer);
    }

    /// <summary>Owns memory from then on that was allocated from a resource and that no buffer owns. It is freed as memory
    /// of the resource is.</summary>
    /// <param name="resource">What the memory was allocated from.</param>
    /// <param name="address">The memory's first address.</param>
    /// <param name="size">The size in bytes.</param>
    /// <param name="stream">The stream in which it is freed, as <see cref="SetDeallocationStream"/> says. Null: when all
    /// work that may use it is done, but a pool needs one.</param>
    /// <exception cref="InvalidArgumentException">The memory is another pool's, or the stream another device's; then the
    /// memory is still the caller's.</exception>
    public static Buffer FromHandle(MemoryResource resource, ulong address, ulong size, Stream stream = null) {
        const string operation = Operations.BufferFromResource;
        IntPtr buffer;
        CuprumNative.cuprum_buffer_from_resource(
            out buffer, Require.NotNull(resource, nameof(resource)).Use(operation), address, size,
            Stream.UseOptional(stream, operation));
        return resource.Wrap(buffer);
    }

    /// <summary>Page-locks an array until the buffer is disposed of: the host and the kernels of all devices use the same
    /// bytes, and copies between it and a device in a stream are asynchronous. Disposing of the buffer waits for the
    /// stream of <see cref="SetDeallocationStream"/>, without one for all devices.</summary>
    /// <param name="memory">What to register. It is pinned until nobody uses the buffer any more.</param>
    /// <exception cref="InvalidArgumentException">The array is empty.</exception>
    /// <exception cref="DriverException">Some of the memory is page-locked already.</exception>
    /// <exception cref="ArgumentException">T is neither a number nor a struct of numbers.</exception>
    public static Buffer RegisterHostMemory<T>(T[] memory) where T : struct {
        ulong size = ArrayElement<T>.SizeOf(Require.NotNull(memory, nameof(memory)));
        GCHandle pin = GCHandle.Alloc(memory, GCHandleType.Pinned);
        try {
            IntPtr buffer;
            CuprumNative.cuprum_buffer_register_host_memory(out buffer, pin.AddrOfPinnedObject(), size);
            return new Buffer(new RegisteredMemoryHandle(buffer, pin));
        } catch {
            pin.Free();
            throw;
        }
    }

    /// <summary>The same for memory that the caller keeps where it is until the buffer is disposed of.</summary>
    /// <param name="memory">The memory's address.</param>
    /// <param name="size">The size in bytes.</param>
    /// <exception cref="InvalidArgumentException">The address or the size is 0.</exception>
    /// <exception cref="DriverException">Some of the memory is page-locked already.</exception>
    public static Buffer RegisterHostMemory(IntPtr memory, ulong size) {
        IntPtr buffer;
        CuprumNative.cuprum_buffer_register_host_memory(out buffer, memory, size);
        return new Buffer(buffer);
    }

    /// <summary>Copies an array into this buffer.</summary>
    /// <param name="source">What to copy.</param>
    /// <param name="stream">The stream to copy in; null to wait until the copy is done.</param>
    /// <param name="offset">Where to copy to: bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">The data does not fit.</exception>
    /// <exception cref="ArgumentException">T is neither a number nor a struct of numbers.</exception>
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
    /// <param name="stream">The stream to copy in; null to wait until the copy is done.</param>
    /// <param name="offset">Where to copy from: bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">The buffer has fewer bytes from there on.</exception>
    /// <exception cref="ArgumentException">T is neither a number nor a struct of numbers.</exception>
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
    /// <param name="source">The memory's address.</param>
    /// <param name="size">The size in bytes.</param>
    /// <param name="stream">The stream to copy in; the caller keeps the memory in place until the copy is done.
    /// Null to wait until the copy is done.</param>
    /// <param name="offset">Where to copy to: bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">The data does not fit.</exception>
    public void CopyFrom(IntPtr source, ulong size, Stream stream = null, ulong offset = 0) {
        const string operation = Operations.BufferCopyFromHost;
        RequireAddress(source, size, nameof(source));
        CuprumNative.cuprum_buffer_copy_from_host(
            Use(operation), offset, source, size, Stream.UseOptional(stream, operation));
    }

    /// <summary>Copies from this buffer to host memory.</summary>
    /// <param name="destination">The memory's address.</param>
    /// <param name="size">The size in bytes.</param>
    /// <param name="stream">The stream to copy in; the caller keeps the memory in place until the copy is done.
    /// Null to wait until the copy is done.</param>
    /// <param name="offset">Where to copy from: bytes from this buffer's start.</param>
    /// <exception cref="InvalidArgumentException">The buffer has fewer bytes from there on.</exception>
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
    /// <exception cref="InvalidArgumentException">The data does not fit.</exception>
    public void CopyFrom(Buffer source, Stream stream) {
        const string operation = Operations.BufferCopy;
        CuprumNative.cuprum_buffer_copy(
            Use(operation), 0, Require.NotNull(source, nameof(source)).Use(operation), 0, source.Size,
            Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Fills the buffer, in stream order.</summary>
    /// <param name="pattern">The pattern, in the lowest bytes.</param>
    /// <param name="patternSize">The pattern's bytes: 1, 2 or 4; the buffer's size must be a multiple of it.</param>
    /// <param name="stream">The stream to fill in.</param>
    public void Fill(uint pattern, uint patternSize, Stream stream) {
        const string operation = Operations.BufferFill;
        CuprumNative.cuprum_buffer_fill(Use(operation), pattern, patternSize, Require.NotNull(stream, nameof(stream)).Use(operation));
    }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Frees the memory in the order of a stream, as <see cref="SetDeallocationStream"/> says.</summary>
    /// <param name="stream">The stream in which it is freed.</param>
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
