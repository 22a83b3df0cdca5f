package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.MemoryUsers;
import io.cuprum.internal.NativeHandle;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Memory that devices use: their own, or page-locked host memory. Made by {@link Device#allocate(long)} and {@link
 * MemoryResource#allocate(long)}.
 *
 * <p>Host memory is a {@code java.nio} buffer (the part from position to limit, neither of which changes) or an array
 * of numbers (the whole of it). Direct buffers are copied as they are; memory on the Java heap goes through native
 * memory in pieces. A buffer in a byte order other than the machine's is refused, because the device would see other
 * numbers.
 *
 * <p>A copy without a stream is done when it returns, but does not wait for work in nonblocking streams: synchronise
 * them first, or copy in the stream. A copy of a direct buffer in a stream is asynchronous: its memory must stay as it
 * is until the stream has passed the copy (it is kept from the garbage collector until then). A copy of heap memory in
 * a stream runs in the stream's order and is done when it returns.
 *
 * <p>Page-locked host memory is a direct buffer to Java ({@link #asByteBuffer()}). Between it and a device a copy in a
 * stream returns at once; the driver may wait for other host memory.
 */
public sealed class Buffer extends BufferRegions permits GlobalVariable, ManagedBuffer {
    private final MemoryUsers users;
    private final MemoryResource resource;

    Buffer(long handle) {
        this(handle, null);
    }

    /** `resource` may be null. */
    Buffer(long handle, MemoryResource resource) {
        this(handle, resource, new MemoryUsers());
    }

    private Buffer(long handle, MemoryResource resource, MemoryUsers users) {
        super(handle, users::release);
        this.resource = resource;
        this.users = users;
    }

    /**
     * Borrows device memory that other code has made.
     *
     * @param device the device that the memory is on
     * @param address the device address; the caller keeps the memory alive
     * @param size the size in bytes
     * @return a buffer whose closing leaves the memory alone
     */
    public static Buffer fromHandle(Device device, long address, long size) {
        long[] buffer = new long[1];
        CuprumNative.cuprum_buffer_from_native(buffer, device.deviceId(), address, size);
        return new Buffer(buffer[0]);
    }

    /**
     * Owns memory from then on that was allocated from a resource and that no buffer owns. It is freed as memory of the
     * resource is.
     *
     * @param resource what the memory was allocated from
     * @param address the memory's first address
     * @param size the size in bytes
     * @param stream the stream in which it is freed, as {@link #setDeallocationStream(Stream)} says; null: when all work
     *         that may use it is done, but a pool needs one
     * @return the buffer; the caller closes it
     * @throws InvalidArgumentException when the memory is another pool's, or the stream another device's; then the
     *         memory is still the caller's
     */
    public static Buffer fromHandle(MemoryResource resource, long address, long size, Stream stream) {
        return resource.with(Operations.BUFFER_FROM_RESOURCE, of -> {
            long[] buffer = new long[1];
            long in = stream == null ? 0 : stream.open(Operations.BUFFER_FROM_RESOURCE);
            try {
                CuprumNative.cuprum_buffer_from_resource(buffer, of, address, size, in);
            } finally {
                Reference.reachabilityFence(stream);
            }
            return resource.wrap(buffer[0]);
        });
    }

    /**
     * Page-locks the memory of a direct buffer, from position to limit, until the result is closed: the host and the
     * kernels of all devices use the same bytes, and copies between it and a device in a stream are asynchronous.
     * Closing waits for the stream of {@link #setDeallocationStream(Stream)}, without one for all devices.
     *
     * @param memory a direct buffer that can be written, which is kept reachable for as long as it is registered
     * @return a buffer of the same memory
     * @throws IllegalArgumentException when the memory is on the Java heap or read-only, or in a byte order other than
     *         the machine's
     * @throws InvalidArgumentException when no bytes remain
     * @throws DriverException when some of the memory is page-locked already
     */
    public static Buffer registerHostMemory(java.nio.Buffer memory) {
        HostMemory.checkByteOrder(memory);
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException("cannot register a read-only buffer, as devices may write to it: " + memory);
        }
        if (!memory.isDirect()) {
            throw new IllegalArgumentException(
                    "memory on the Java heap cannot be registered, as it moves: use ByteBuffer.allocateDirect()");
        }
        try {
            long[] buffer = new long[1];
            CuprumNative.cuprum_buffer_register_host_memory(
                    buffer, HostMemory.addressOf(memory), HostMemory.sizeOf(memory));
            return new Buffer(buffer[0], null, new MemoryUsers(memory));
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /**
     * Opens memory that another process shares, freed in the order of a stream. Close it, and let that work be done,
     * before the other process frees it. No stream is ordered after the other process's work.
     *
     * @param resource the pool of that process, from {@link DeviceMemoryResource#fromAllocationHandle} or {@link
     *         PinnedMemoryResource#fromAllocationHandle}
     * @param ipcHandle what {@link #ipcHandle()} gave there
     * @param size the size in bytes, as there
     * @param stream the stream in which it is freed
     * @return the buffer
     * @throws InvalidArgumentException when the pool is not another process's, or there are fewer bytes
     */
    public static Buffer fromIpcHandle(PooledMemoryResource resource, byte[] ipcHandle, long size, Stream stream) {
        ByteBuffer direct = ByteBuffer.allocateDirect(Math.max(1, ipcHandle.length)).put(ipcHandle);
        String operation = Operations.BUFFER_FROM_IPC_HANDLE;
        try {
            return resource.with(operation, of -> stream.with(operation, in -> {
                long[] buffer = new long[1];
                CuprumNative.cuprum_buffer_from_ipc_handle(
                        buffer, of, CuprumNative.host_address(direct), ipcHandle.length, size, in);
                return new Buffer(buffer[0], resource);
            }));
        } finally {
            Reference.reachabilityFence(direct);
        }
    }

    /**
     * What another process opens the memory with, which has opened its pool already; the size goes with it.
     *
     * @return 64 bytes
     * @throws InvalidArgumentException when the memory is not that of a pool that can be shared
     */
    public byte[] ipcHandle() {
        return with(Operations.BUFFER_IPC_HANDLE, buffer -> {
            byte[][] bytes = new byte[1][];
            CuprumNative.cuprum_buffer_ipc_handle(bytes, buffer);
            return bytes[0];
        });
    }

    /**
     * What the buffer was allocated from. For memory from {@link Device#allocate(long, Stream)} this is a pool of the
     * device, which the caller closes.
     *
     * @return the resource; null for memory that a device allocated without a stream, and for borrowed memory
     */
    public MemoryResource memoryResource() {
        if (resource != null) {
            return resource;
        }
        return with(Operations.BUFFER_MEMORY_RESOURCE, buffer -> {
            long[] found = new long[1];
            CuprumNative.cuprum_buffer_memory_resource(found, buffer);
            return found[0] == 0 ? null : MemoryResource.ofHandle(found[0]);
        });
    }

    /**
     * Frees the memory in the order of a stream, as {@link #setDeallocationStream(Stream)} says.
     *
     * @param stream the stream in which it is freed
     */
    public void close(Stream stream) {
        if (!isClosed()) {
            setDeallocationStream(stream);
            close();
        }
    }

    /**
     * The memory as the host reads and writes it, without a copy, in the machine's byte order. It is in no stream's
     * order: wait for the work that uses the memory first. The view keeps the memory alive, even after this buffer is
     * closed, until it and everything sliced from it are unreachable.
     *
     * @return all of the memory
     * @throws InvalidArgumentException when the host cannot use the memory
     * @throws IllegalArgumentException when there is more memory than a ByteBuffer can have, 2 GiB - 1
     */
    public ByteBuffer asByteBuffer() {
        long size = size();
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a ByteBuffer has at most " + Integer.MAX_VALUE + " bytes, and the "
                    + "buffer has " + Long.toUnsignedString(size) + ": view it in parts, with asByteBuffer(offset, size)");
        }
        return asByteBuffer(0, (int) size);
    }

    /** Whether there are views of it as host memory. */
    boolean hasViews() {
        return users.hasViews();
    }

    /**
     * A part of the memory as the host reads and writes it; see {@link #asByteBuffer()}.
     *
     * @param offset where the part starts: bytes from this buffer's start
     * @param size the size in bytes
     * @return the part
     * @throws InvalidArgumentException when the host cannot use the memory, or the buffer has fewer bytes from there
     *         on
     */
    public ByteBuffer asByteBuffer(long offset, int size) {
        try {
            long buffer = open(Operations.BUFFER_HOST_ADDRESS);
            long[] address = new long[1];
            CuprumNative.cuprum_buffer_host_address(address, buffer);
            if (size < 0) {
                throw new IllegalArgumentException("the size of a view must not be negative: " + size);
            }
            checkRange("viewing", "as host memory", offset, size);
            if (!users.add()) {
                throw Errors.closed(this, Operations.BUFFER_HOST_ADDRESS);
            }
            ByteBuffer view = ((ByteBuffer) CuprumNative.host_view(address[0] + offset, size))
                    .order(ByteOrder.nativeOrder());
            MemoryUsers kept = users;
            NativeHandle.whenUnreachable(view, () -> kept.release(buffer));
            return view;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Copies host memory to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(java.nio.Buffer source) {
        copyFrom(source, 0, null);
    }

    /**
     * Copies host memory to the start of this buffer, in stream order.
     *
     * @param source what to copy
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(java.nio.Buffer source, Stream stream) {
        copyFrom(source, 0, stream);
    }

    /**
     * Copies host memory into this buffer.
     *
     * @param source what to copy
     * @param offset where to copy to: bytes from this buffer's start
     * @param stream the stream to copy in; null to wait until the copy is done
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(java.nio.Buffer source, long offset, Stream stream) {
        HostMemory.checkByteOrder(source);
        try {
            long buffer = open(Operations.BUFFER_COPY_FROM_HOST);
            long streamHandle = stream == null ? 0 : stream.open(Operations.BUFFER_COPY_FROM_HOST);
            if (source.isDirect()) {
                if (stream != null) {
                    stream.keepUntilPassed(source);
                }
                CuprumNative.cuprum_buffer_copy_from_host(
                        buffer, offset, HostMemory.addressOf(source), HostMemory.sizeOf(source), streamHandle);
            } else {
                checkRange("copying", "from host memory", offset, HostMemory.sizeOf(source));
                HostMemory.stageToDevice(source, (address, size, at) -> {
                    CuprumNative.cuprum_buffer_copy_from_host(buffer, offset + at, address, size, streamHandle);
                    waitFor(stream);
                });
            }
        } finally {
            Reference.reachabilityFence(source);
            Reference.reachabilityFence(stream);
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Copies from the start of this buffer to host memory; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(java.nio.Buffer destination) {
        copyTo(destination, 0, null);
    }

    /**
     * Copies from the start of this buffer to host memory, in stream order.
     *
     * @param destination what to fill
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(java.nio.Buffer destination, Stream stream) {
        copyTo(destination, 0, stream);
    }

    /**
     * Copies from this buffer to host memory.
     *
     * @param destination what to fill
     * @param offset where to copy from: bytes from this buffer's start
     * @param stream the stream to copy in; null to wait until the copy is done
     * @throws InvalidArgumentException when the buffer has fewer bytes from there on
     */
    public void copyTo(java.nio.Buffer destination, long offset, Stream stream) {
        HostMemory.checkByteOrder(destination);
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("cannot copy to a read-only buffer: " + destination);
        }
        try {
            long buffer = open(Operations.BUFFER_COPY_TO_HOST);
            long streamHandle = stream == null ? 0 : stream.open(Operations.BUFFER_COPY_TO_HOST);
            if (destination.isDirect()) {
                if (stream != null) {
                    stream.keepUntilPassed(destination);
                }
                CuprumNative.cuprum_buffer_copy_to_host(HostMemory.addressOf(destination),
                        HostMemory.sizeOf(destination), buffer, offset, streamHandle);
            } else {
                checkRange("copying", "to host memory", offset, HostMemory.sizeOf(destination));
                HostMemory.stageFromDevice(destination, (address, size, at) -> {
                    CuprumNative.cuprum_buffer_copy_to_host(address, size, buffer, offset + at, streamHandle);
                    waitFor(stream);
                });
            }
        } finally {
            Reference.reachabilityFence(destination);
            Reference.reachabilityFence(stream);
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(byte[] source) {
        copyFrom(ByteBuffer.wrap(source).order(ByteOrder.nativeOrder()), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(byte[] source, Stream stream) {
        copyFrom(ByteBuffer.wrap(source).order(ByteOrder.nativeOrder()), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(byte[] destination) {
        copyTo(ByteBuffer.wrap(destination).order(ByteOrder.nativeOrder()), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(byte[] destination, Stream stream) {
        copyTo(ByteBuffer.wrap(destination).order(ByteOrder.nativeOrder()), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(short[] source) {
        copyFrom(ShortBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(short[] source, Stream stream) {
        copyFrom(ShortBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(short[] destination) {
        copyTo(ShortBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(short[] destination, Stream stream) {
        copyTo(ShortBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(int[] source) {
        copyFrom(IntBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(int[] source, Stream stream) {
        copyFrom(IntBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(int[] destination) {
        copyTo(IntBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(int[] destination, Stream stream) {
        copyTo(IntBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(long[] source) {
        copyFrom(LongBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(long[] source, Stream stream) {
        copyFrom(LongBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(long[] destination) {
        copyTo(LongBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(long[] destination, Stream stream) {
        copyTo(LongBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(float[] source) {
        copyFrom(FloatBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(float[] source, Stream stream) {
        copyFrom(FloatBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(float[] destination) {
        copyTo(FloatBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(float[] destination, Stream stream) {
        copyTo(FloatBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(double[] source) {
        copyFrom(DoubleBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(double[] source, Stream stream) {
        copyFrom(DoubleBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(double[] destination) {
        copyTo(DoubleBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the destination is larger than this buffer
     */
    public void copyTo(double[] destination, Stream stream) {
        copyTo(DoubleBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies another buffer's content to the start of this one, in stream order.
     *
     * @param source the buffer to copy, all of it
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the data does not fit
     */
    public void copyFrom(Buffer source, Stream stream) {
        with(Operations.BUFFER_COPY, destination -> source.with(Operations.BUFFER_COPY,
                from -> stream.with(Operations.BUFFER_COPY, in -> {
                    long[] size = new long[1];
                    CuprumNative.cuprum_buffer_size(size, from);
                    CuprumNative.cuprum_buffer_copy(destination, 0, from, 0, size[0], in);
                    return null;
                })));
    }

    /**
     * Fills the buffer, in stream order.
     *
     * @param pattern the pattern, in the lowest bytes
     * @param patternSize the pattern's bytes: 1, 2 or 4; the buffer's size must be a multiple of it
     * @param stream the stream to fill in
     */
    public void fill(int pattern, int patternSize, Stream stream) {
        with(Operations.BUFFER_FILL, buffer -> stream.with(Operations.BUFFER_FILL, in -> {
            CuprumNative.cuprum_buffer_fill(buffer, Integer.toUnsignedLong(pattern), patternSize, in);
            return null;
        }));
    }

    /** Before the first piece of a copy, so that a copy that does not fit changes nothing, and before a view. */
    private void checkRange(String verb, String direction, long offset, long count) {
        long size = size();
        if (Long.compareUnsigned(offset, size) > 0 || Long.compareUnsigned(count, size - offset) > 0) {
            // In the words of a copy in one piece.
            String left = offset == 0 ? "the buffer has only " + Long.toUnsignedString(size) + " bytes"
                    : Long.compareUnsigned(offset, size) > 0
                    ? "the offset " + Long.toUnsignedString(offset) + " is beyond the end of the buffer"
                    : "only " + (size - offset) + " bytes of the buffer follow offset " + offset;
            throw Errors.invalidArgument(verb + " " + count + " bytes " + direction, "Buffer 0x"
                    + Long.toHexString(handle()) + " (" + Long.toUnsignedString(size) + " bytes) on device " + device().deviceId(), left);
        }
    }

    private static void waitFor(Stream stream) {
        if (stream != null) {
            stream.sync();
        }
    }
}
