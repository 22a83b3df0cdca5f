package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/**
 * Elements in host memory for the algorithms of {@link OutOfCore}, of any size: the elements of a {@link HostArray}, or
 * a {@link Buffer} that the host can use, best page-locked. Borrows the memory, which must stay until a call has
 * returned: do not close the buffer before.
 */
public final class HostElements {
    private final ElementType type;
    private final HostArray array;    // null for a buffer
    private final Buffer buffer;    // null for an array
    private final long address;
    private final long size;

    private HostElements(ElementType type, HostArray array, Buffer buffer, long address, long size) {
        this.type = type;
        this.array = array;
        this.buffer = buffer;
        this.address = address;
        this.size = size;
    }

    /**
     * The elements of an array.
     *
     * @param array the array, which is not copied
     * @return the elements
     */
    public static HostElements of(HostArray array) {
        return new HostElements(array.type(), array, null, HostArrays.address(array), HostArrays.size(array));
    }

    /**
     * As many elements as the buffer has.
     *
     * @param type the type of the elements
     * @param buffer page-locked, registered or managed memory
     * @return the elements
     * @throws InvalidArgumentException when the host cannot use the memory
     */
    public static HostElements of(ElementType type, Buffer buffer) {
        long[] address = new long[1];
        buffer.with(Operations.BUFFER_HOST_ADDRESS, native_ -> {
            CuprumNative.cuprum_buffer_host_address(address, native_);
            return null;
        });
        return new HostElements(type, null, buffer, address[0], buffer.size());
    }

    /** {@return the type of the elements} */
    public ElementType type() {
        return type;
    }

    /** {@return how many elements there are} */
    public long count() {
        return size / type.size();
    }

    /** Where C reads and writes elements of that type; 0 for null. */
    static long address(String operation, String name, HostElements elements, ElementType type) {
        if (elements == null) {
            return 0;
        }
        if (!elements.type.equals(type)) {
            throw Errors.invalidArgument(operation, name,
                    "has elements of " + elements.type + ", and the algorithm was built "
                            + (type == null ? "without any" : "for " + type));
        }
        if (elements.buffer != null) {
            elements.buffer.open(operation);
        }
        return elements.address;
    }

    /** Bytes; 0 for null. */
    static long size(HostElements elements) {
        return elements == null ? 0 : elements.size / elements.type.size() * elements.type.size();
    }

    @Override
    public String toString() {
        return "HostElements of " + count() + " " + type + (array == null ? " in " + buffer : "");
    }
}
