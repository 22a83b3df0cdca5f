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
 * of numbers (the whole of it). Direct buffers are copied as they are; what lies on the Java heap goes through native
 * memory in pieces. A buffer of another byte order than the machine's is refused, because the device would see other
 * numbers.
 *
 * <p>A copy without a stream is done when it returns, but does not wait for work in nonblocking streams: synchronise
 * them first, or copy in the stream. A copy of a direct buffer in a stream is asynchronous: its memory must stay as it
 * is until the stream has passed the copy (it is kept from the garbage collector until then). A copy of heap memory in
 * a stream takes its turn in the stream and is done when it returns.
 *
 * <p>Page-locked host memory is a direct buffer to Java ({@link #asByteBuffer()}). Between it and a device a copy in a
 * stream returns at once; the driver may wait for other host memory.
 */
public final class Buffer extends BufferMembers {
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
     * @param device where it lies
     * @param address the device address; the caller keeps the memory alive
     * @param size bytes
     * @return a buffer whose closing leaves the memory alone
     */
    public static Buffer fromHandle(Device device, long address, long size) {
        long[] buffer = new long[1];
        CuprumNative.cuprum_buffer_from_native(buffer, device.deviceId(), address, size);
        return new Buffer(buffer[0]);
    }

    /** {@return what it was allocated from; null for memory of a {@link Device} and borrowed memory} */
    public MemoryResource memoryResource() {
        return resource;
    }

    /**
     * Frees the memory in the order of a stream, as {@link #setDeallocationStream(Stream)} says.
     *
     * @param stream where it is freed
     */
    public void close(Stream stream) {
        if (!isClosed()) {
            setDeallocationStream(stream);
            close();
        }
    }

    /**
     * The memory as the host reads and writes it, without a copy, in the machine's byte order. It is in no stream's
     * order: wait for the work that uses the memory first. The view keeps the memory, also where this buffer is closed,
     * until it and everything sliced from it are unreachable.
     *
     * @return all of the memory
     * @throws InvalidArgumentException when the host cannot use the memory
     * @throws IllegalArgumentException when it is more than a ByteBuffer can have, 2 GiB - 1
     */
    public ByteBuffer asByteBuffer() {
        long size = size();
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a ByteBuffer has at most " + Integer.MAX_VALUE + " bytes, and the "
                    + "buffer has " + Long.toUnsignedString(size) + ": view it in parts, with asByteBuffer(offset, size)");
        }
        return asByteBuffer(0, (int) size);
    }

    /**
     * A part of the memory as the host reads and writes it; see {@link #asByteBuffer()}.
     *
     * @param offset where it starts, bytes from this buffer's start
     * @param size bytes
     * @return the part
     * @throws InvalidArgumentException when the host cannot use the memory, or this buffer has not that many bytes from
     *         there
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
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(java.nio.Buffer source) {
        copyFrom(source, 0, null);
    }

    /**
     * Copies host memory to the start of this buffer, in stream order.
     *
     * @param source what to copy
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(java.nio.Buffer source, Stream stream) {
        copyFrom(source, 0, stream);
    }

    /**
     * Copies host memory into this buffer.
     *
     * @param source what to copy
     * @param offset where to, bytes from this buffer's start
     * @param stream where the copy takes its turn; null for none
     * @throws InvalidArgumentException when it does not fit
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
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(java.nio.Buffer destination) {
        copyTo(destination, 0, null);
    }

    /**
     * Copies from the start of this buffer to host memory, in stream order.
     *
     * @param destination what to fill
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(java.nio.Buffer destination, Stream stream) {
        copyTo(destination, 0, stream);
    }

    /**
     * Copies from this buffer to host memory.
     *
     * @param destination what to fill
     * @param offset where from, bytes from this buffer's start
     * @param stream where the copy takes its turn; null for none
     * @throws InvalidArgumentException when this buffer has not that many bytes from there
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
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(byte[] source) {
        copyFrom(ByteBuffer.wrap(source).order(ByteOrder.nativeOrder()), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(byte[] source, Stream stream) {
        copyFrom(ByteBuffer.wrap(source).order(ByteOrder.nativeOrder()), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(byte[] destination) {
        copyTo(ByteBuffer.wrap(destination).order(ByteOrder.nativeOrder()), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(byte[] destination, Stream stream) {
        copyTo(ByteBuffer.wrap(destination).order(ByteOrder.nativeOrder()), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(short[] source) {
        copyFrom(ShortBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(short[] source, Stream stream) {
        copyFrom(ShortBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(short[] destination) {
        copyTo(ShortBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(short[] destination, Stream stream) {
        copyTo(ShortBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(int[] source) {
        copyFrom(IntBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(int[] source, Stream stream) {
        copyFrom(IntBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(int[] destination) {
        copyTo(IntBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(int[] destination, Stream stream) {
        copyTo(IntBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(long[] source) {
        copyFrom(LongBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(long[] source, Stream stream) {
        copyFrom(LongBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(long[] destination) {
        copyTo(LongBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(long[] destination, Stream stream) {
        copyTo(LongBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(float[] source) {
        copyFrom(FloatBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(float[] source, Stream stream) {
        copyFrom(FloatBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(float[] destination) {
        copyTo(FloatBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(float[] destination, Stream stream) {
        copyTo(FloatBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies an array to the start of this buffer; done when it returns.
     *
     * @param source what to copy
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(double[] source) {
        copyFrom(DoubleBuffer.wrap(source), 0, null);
    }

    /**
     * Copies an array to the start of this buffer, in stream order; done when it returns.
     *
     * @param source what to copy
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it does not fit
     */
    public void copyFrom(double[] source, Stream stream) {
        copyFrom(DoubleBuffer.wrap(source), 0, stream);
    }

    /**
     * Copies from the start of this buffer to an array; done when it returns.
     *
     * @param destination what to fill
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(double[] destination) {
        copyTo(DoubleBuffer.wrap(destination), 0, null);
    }

    /**
     * Copies from the start of this buffer to an array, in stream order; done when it returns.
     *
     * @param destination what to fill
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it is larger than this buffer
     */
    public void copyTo(double[] destination, Stream stream) {
        copyTo(DoubleBuffer.wrap(destination), 0, stream);
    }

    /**
     * Copies another buffer's content to the start of this one, in stream order.
     *
     * @param source all of it is copied
     * @param stream where the copy takes its turn
     * @throws InvalidArgumentException when it does not fit
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
     * @param pattern its lowest bytes are repeated
     * @param patternSize 1, 2 or 4; the buffer's size must be a multiple of it
     * @param stream where the fill takes its turn
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
                    ? "the offset " + Long.toUnsignedString(offset) + " lies beyond the end of the buffer"
                    : "only " + (size - offset) + " bytes of the buffer lie behind offset " + offset;
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
