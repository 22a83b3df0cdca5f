package io.cuprum.bindings;

import io.cuprum.internal.HostMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A C structure or union, in memory outside the Java heap, where it stays for as long as this object or a part of it is
 * reachable. Its fields are methods: without an argument they read, with one they write and give the object back. Not
 * thread-safe.
 */
public abstract class NativeStruct {
    /** A structure's layout in C, in bytes. */
    public static final class Layout {
        private final String type;
        private final int size;
        private final int alignment;
        private final String[] fields;
        private final int[] places;

        /** `places` has the offset and the size of each field. */
        Layout(String type, int size, int alignment, String[] fields, int[] places) {
            this.type = type;
            this.size = size;
            this.alignment = alignment;
            this.fields = fields;
            this.places = places;
        }

        /**
         * The name of the type in C.
         *
         * @return its tag, or the name of its typedef where it has none
         */
        public String type() {
            return type;
        }

        /**
         * The size of the structure.
         *
         * @return bytes
         */
        public int size() {
            return size;
        }

        /**
         * The alignment of the structure.
         *
         * @return bytes
         */
        public int alignment() {
            return alignment;
        }

        /**
         * The names of the fields.
         *
         * @return a new array, in the order of the header
         */
        public String[] fields() {
            return fields.clone();
        }

        /**
         * The offset of a field.
         *
         * @param field its index in fields()
         * @return bytes from the start of the structure
         */
        public int offset(int field) {
            return places[2 * field];
        }

        /**
         * The size of a field.
         *
         * @param field its index in fields()
         * @return bytes
         */
        public int size(int field) {
            return places[2 * field + 1];
        }
    }

    private final ByteBuffer memory;

    NativeStruct(Layout layout) {
        this(parts(layout, 1)[0]);
    }

    NativeStruct(ByteBuffer memory) {
        this.memory = memory.order(ByteOrder.nativeOrder());
    }

    /**
     * Its layout in C.
     *
     * @return the same object for all of this class
     */
    public abstract Layout layout();

    /**
     * Its bytes, and those of the elements behind it if it is one of an array.
     *
     * @return a view of the structure's own memory, in the machine's byte order
     */
    public final ByteBuffer memory() {
        return memory;
    }

    /**
     * Its address, valid for as long as this object is reachable.
     *
     * @return an address
     */
    public final long address() {
        return HostMemory.addressOf(memory.duplicate().clear());
    }

    /** The elements of a new array. The first one's memory reaches to the end. */
    static ByteBuffer[] parts(Layout layout, int length) {
        if (length < 1) {
            throw new IllegalArgumentException("length: an array of " + layout.type() + " takes at least 1, given "
                    + length);
        }
        int bytes = Math.multiplyExact(layout.size(), length);
        ByteBuffer all = ByteBuffer.allocateDirect(bytes + layout.alignment()).alignedSlice(layout.alignment());
        ByteBuffer[] parts = new ByteBuffer[length];
        for (int i = 0; i < length; ++i) {
            parts[i] = all.slice(i * layout.size(), bytes - i * layout.size());
        }
        return parts;
    }

    final ByteBuffer part(int offset, Layout layout) {
        return part(offset, layout.size());
    }

    final ByteBuffer part(int offset, int size) {
        return memory.slice(offset, size).order(ByteOrder.nativeOrder());
    }

    final void put(int offset, NativeStruct value) {
        if (value == null) {
            throw new IllegalArgumentException("value: expected a structure, given null");
        }
        memory.put(offset, value.memory, 0, value.layout().size());
    }

    static int check(int index, int length) {
        if (index < 0 || index >= length) {
            throw new IllegalArgumentException("index: expected 0 to " + (length - 1) + ", given " + index);
        }
        return index;
    }
}
