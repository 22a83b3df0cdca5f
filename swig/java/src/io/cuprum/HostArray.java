package io.cuprum;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Elements of any {@link ElementType} in host memory: what {@link Parallel} takes beside Java's own arrays, for
 * unsigned and 16-bit floating-point numbers, complex numbers and structs.
 */
public final class HostArray {
    private final ElementType type;
    private final ByteBuffer memory;

    /**
     * An array of zeros.
     *
     * @param type the type of the elements
     * @param length the number of elements; together less than 2 GiB
     */
    public HostArray(ElementType type, int length) {
        this(type, ByteBuffer.allocateDirect(Math.multiplyExact(type.size(), length)));
    }

    /**
     * The elements in a direct buffer, from its position to its limit, in the machine's byte order.
     *
     * @param type the type of the elements
     * @param memory the direct buffer, which is not copied
     * @throws IllegalArgumentException when the buffer is not direct, or ends within an element
     */
    public HostArray(ElementType type, ByteBuffer memory) {
        if (!memory.isDirect() || memory.remaining() % type.size() != 0) {
            throw new IllegalArgumentException(
                    "expected a direct buffer of elements of " + type.size() + " bytes, given " + memory);
        }
        this.type = type;
        this.memory = memory.slice().order(ByteOrder.nativeOrder());
    }

    /** {@return the type of the elements} */
    public ElementType type() {
        return type;
    }

    /** {@return how many elements there are} */
    public int length() {
        return memory.capacity() / type.size();
    }

    /** {@return the elements' memory, in the machine's byte order; changes to it change the array} */
    public ByteBuffer memory() {
        return memory.duplicate().order(ByteOrder.nativeOrder());
    }

    /**
     * One element.
     *
     * @param index the element's index, from 0
     * @return a copy
     */
    public Value get(int index) {
        return Value.read(type, memory, offsetOf(index));
    }

    /**
     * Sets one element.
     *
     * @param index the element's index, from 0
     * @param parts as {@link Value#of(ElementType, Object...)} takes them, or one Value
     */
    public void set(int index, Object... parts) {
        Value.write(type, memory, offsetOf(index), parts);
    }

    private int offsetOf(int index) {
        if (index < 0 || index >= length()) {
            throw new IndexOutOfBoundsException("index " + index + " of " + length() + " elements");
        }
        return index * type.size();
    }
}
