package io.cuprum.internal;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/** Host memory for copies: direct buffers as they are, everything on the Java heap by way of a direct buffer. */
public final class HostMemory {
    /**
     * Memory on the heap is copied this many bytes at a time. GetPrimitiveArrayCritical would spare the extra
     * copy, but must not be held across a call that blocks.
     */
    private static final int STAGING_BYTES = 1 << 20;

    /** Staging buffers that no copy uses, at most one for each processor. */
    private static final ArrayBlockingQueue<ByteBuffer> IDLE_STAGING =
            new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

    /** Copies `size` bytes between the device, `offset` bytes into the buffer, and host memory at `address`. */
    @FunctionalInterface
    public interface DeviceCopy {
        /** All three in bytes. */
        void run(long address, long size, long offset);
    }

    private HostMemory() {}

    /** Bytes of the part from position to limit. */
    public static long sizeOf(Buffer buffer) {
        return (long) buffer.remaining() * elementSize(buffer);
    }

    /** The address of the first byte of the part from position to limit of a direct buffer. */
    public static long addressOf(Buffer direct) {
        // An empty slice at the end of a buffer has an address too, but 0 of none is as good.
        return direct.remaining() == 0 ? 0 : CuprumNative.host_address(direct.slice());
    }

    /** Refuses a buffer whose numbers are not in the machine's byte order: the device would see other numbers. */
    public static void checkByteOrder(Buffer buffer) {
        ByteOrder order = orderOf(buffer);
        if (order != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("the " + order + " byte order of " + buffer + " is not the device's, "
                    + ByteOrder.nativeOrder() + ": call order(ByteOrder.nativeOrder()) on the ByteBuffer before it is "
                    + "filled, sliced or viewed as another type");
        }
    }

    /**
     * Copies the part from position to limit of a heap buffer to the device. Each piece is done when `copy` returns.
     */
    public static void stageToDevice(Buffer source, DeviceCopy copy) {
        ByteBuffer staging = takeStaging();
        long address = CuprumNative.host_address(staging);
        int elementSize = elementSize(source);
        int pieceLength = STAGING_BYTES / elementSize;
        for (long at = 0; at < source.remaining(); at += pieceLength) {
            int length = (int) Math.min(pieceLength, source.remaining() - at);
            put(staging, source.slice(source.position() + (int) at, length));
            copy.run(address, (long) length * elementSize, at * elementSize);
        }
        IDLE_STAGING.offer(staging);    // not after a failure: a copy may then still use it
    }

    /** Fills the part from position to limit of a heap buffer from the device. */
    public static void stageFromDevice(Buffer destination, DeviceCopy copy) {
        ByteBuffer staging = takeStaging();
        long address = CuprumNative.host_address(staging);
        int elementSize = elementSize(destination);
        int pieceLength = STAGING_BYTES / elementSize;
        for (long at = 0; at < destination.remaining(); at += pieceLength) {
            int length = (int) Math.min(pieceLength, destination.remaining() - at);
            copy.run(address, (long) length * elementSize, at * elementSize);
            get(staging, destination.slice(destination.position() + (int) at, length), length);
        }
        IDLE_STAGING.offer(staging);    // not after a failure: a copy may then still use it
    }

    /** A direct buffer with the part from position to limit of a heap buffer. */
    public static ByteBuffer directCopyOf(Buffer heap) {
        long size = sizeOf(heap);
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("regions of memory on the Java heap may have " + Integer.MAX_VALUE
                    + " bytes, and " + heap + " has " + size + ": use a direct buffer");
        }
        ByteBuffer direct = ByteBuffer.allocateDirect((int) size).order(ByteOrder.nativeOrder());
        put(direct, heap.slice());
        return direct.clear();
    }

    /** The part from position to limit of a heap buffer becomes what is in its direct copy. */
    public static void copyBack(ByteBuffer direct, Buffer heap) {
        get(direct, heap.slice(), heap.remaining());
    }

    private static ByteBuffer takeStaging() {
        ByteBuffer staging = IDLE_STAGING.poll();
        return staging != null ? staging : ByteBuffer.allocateDirect(STAGING_BYTES).order(ByteOrder.nativeOrder());
    }

    private static int elementSize(Buffer buffer) {
        if (buffer instanceof ByteBuffer) {
            return Byte.BYTES;
        } else if (buffer instanceof ShortBuffer) {
            return Short.BYTES;
        } else if (buffer instanceof CharBuffer) {
            return Character.BYTES;
        } else if (buffer instanceof IntBuffer) {
            return Integer.BYTES;
        } else if (buffer instanceof FloatBuffer) {
            return Float.BYTES;
        }
        return Long.BYTES;    // LongBuffer and DoubleBuffer: java.nio has no other kinds
    }

    private static ByteOrder orderOf(Buffer buffer) {
        if (buffer instanceof ByteBuffer) {
            return ((ByteBuffer) buffer).order();
        } else if (buffer instanceof ShortBuffer) {
            return ((ShortBuffer) buffer).order();
        } else if (buffer instanceof CharBuffer) {
            return ((CharBuffer) buffer).order();
        } else if (buffer instanceof IntBuffer) {
            return ((IntBuffer) buffer).order();
        } else if (buffer instanceof FloatBuffer) {
            return ((FloatBuffer) buffer).order();
        } else if (buffer instanceof LongBuffer) {
            return ((LongBuffer) buffer).order();
        }
        return ((DoubleBuffer) buffer).order();
    }

    private static void put(ByteBuffer staging, Buffer piece) {
        if (piece instanceof ByteBuffer) {
            staging.clear().put((ByteBuffer) piece);
        } else if (piece instanceof ShortBuffer) {
            staging.clear().asShortBuffer().put((ShortBuffer) piece);
        } else if (piece instanceof CharBuffer) {
            staging.clear().asCharBuffer().put((CharBuffer) piece);
        } else if (piece instanceof IntBuffer) {
            staging.clear().asIntBuffer().put((IntBuffer) piece);
        } else if (piece instanceof FloatBuffer) {
            staging.clear().asFloatBuffer().put((FloatBuffer) piece);
        } else if (piece instanceof LongBuffer) {
            staging.clear().asLongBuffer().put((LongBuffer) piece);
        } else {
            staging.clear().asDoubleBuffer().put((DoubleBuffer) piece);
        }
    }

    private static void get(ByteBuffer staging, Buffer piece, int length) {
        if (piece instanceof ByteBuffer) {
            ((ByteBuffer) piece).put(staging.clear().limit(length));
        } else if (piece instanceof ShortBuffer) {
            ((ShortBuffer) piece).put(staging.clear().asShortBuffer().limit(length));
        } else if (piece instanceof CharBuffer) {
            ((CharBuffer) piece).put(staging.clear().asCharBuffer().limit(length));
        } else if (piece instanceof IntBuffer) {
            ((IntBuffer) piece).put(staging.clear().asIntBuffer().limit(length));
        } else if (piece instanceof FloatBuffer) {
            ((FloatBuffer) piece).put(staging.clear().asFloatBuffer().limit(length));
        } else if (piece instanceof LongBuffer) {
            ((LongBuffer) piece).put(staging.clear().asLongBuffer().limit(length));
        } else {
            ((DoubleBuffer) piece).put(staging.clear().asDoubleBuffer().limit(length));
        }
    }
}
