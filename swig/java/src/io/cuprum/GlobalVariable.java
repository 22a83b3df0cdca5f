package io.cuprum;

import io.cuprum.internal.Operations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A {@code __device__}, {@code __constant__} or {@code __managed__} variable on one device ({@link ObjectCode#getGlobal}).
 * As memory it is a buffer like others. As a value, or values in an array, it is read and written as a whole.
 */
public final class GlobalVariable extends Buffer {
    private final String variable;

    GlobalVariable(long handle, String name) {
        super(handle);
        variable = name;
    }

    /** {@return the name that it was asked for by} */
    public String name() {
        return variable;
    }

    /**
     * The variable as one value.
     *
     * @param type the type, which has the variable's size
     * @return the value
     * @throws InvalidArgumentException when the variable has another size
     */
    public Value value(ElementType type) {
        return value(type, null);
    }

    /**
     * The variable as one value, after the work so far in a stream, which is waited for.
     *
     * @param type the type, which has the variable's size
     * @param stream the stream; null: as copies without a stream
     * @return the value
     * @throws InvalidArgumentException when the variable has another size
     */
    public Value value(ElementType type, Stream stream) {
        Objects.requireNonNull(type, "type must not be null");
        requireSize(Operations.BUFFER_COPY_TO_HOST, type.size(), "a " + type);
        ByteBuffer memory = room(type.size());
        copyTo(memory, 0, stream);
        waitFor(stream);
        return Value.read(type, memory, 0);
    }

    /**
     * Writes one value.
     *
     * @param value a {@link Value}, or a Boolean or number of Java's own
     * @throws InvalidArgumentException when the variable has another size
     */
    public void setValue(Object value) {
        setValue(value, null);
    }

    /**
     * Writes one value, after the work so far in a stream, which is waited for.
     *
     * @param value a {@link Value}, or a Boolean or number of Java's own
     * @param stream the stream; null: as copies without a stream
     * @throws InvalidArgumentException when the variable has another size
     */
    public void setValue(Object value, Stream stream) {
        Value given = value instanceof Value made ? made : Value.of(value);
        requireSize(Operations.BUFFER_COPY_FROM_HOST, given.type().size(), "a " + given.type());
        ByteBuffer memory = room(given.type().size());
        Value.write(given.type(), memory, 0, given);
        copyFrom(memory, 0, stream);
        waitFor(stream);
    }

    /**
     * Fills an array with the variable's values.
     *
     * @param <A> its type
     * @param array an array of numbers or booleans, or a {@link HostArray}, of the variable's size
     * @return the array
     * @throws InvalidArgumentException when the variable has another size
     */
    public <A> A values(A array) {
        return values(array, null);
    }

    /**
     * Fills an array with the variable's values, after the work so far in a stream, which is waited for.
     *
     * @param <A> its type
     * @param array an array of numbers or booleans, or a {@link HostArray}, of the variable's size
     * @param stream the stream; null: as copies without a stream
     * @return the array
     * @throws InvalidArgumentException when the variable has another size
     */
    public <A> A values(A array, Stream stream) {
        HostArray elements = HostArrays.room(array);
        requireSize(Operations.BUFFER_COPY_TO_HOST, elements);
        copyTo(elements.memory(), 0, stream);
        waitFor(stream);
        HostArrays.copyBack(elements, array);
        return array;
    }

    /**
     * Writes the values of an array.
     *
     * @param array an array of numbers or booleans, or a {@link HostArray}, of the variable's size
     * @throws InvalidArgumentException when the variable has another size
     */
    public void setValues(Object array) {
        setValues(array, null);
    }

    /**
     * Writes the values of an array, after the work so far in a stream, which is waited for.
     *
     * @param array an array of numbers or booleans, or a {@link HostArray}, of the variable's size
     * @param stream the stream; null: as copies without a stream
     * @throws InvalidArgumentException when the variable has another size
     */
    public void setValues(Object array, Stream stream) {
        HostArray elements = HostArrays.of(array);
        requireSize(Operations.BUFFER_COPY_FROM_HOST, elements);
        copyFrom(elements.memory(), 0, stream);
        waitFor(stream);
    }

    private static ByteBuffer room(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    private static void waitFor(Stream stream) {
        if (stream != null) {
            stream.sync();
        }
    }

    private void requireSize(String operation, HostArray elements) {
        requireSize(operation, (long) elements.type().size() * elements.length(),
                elements.length() + " of " + elements.type());
    }

    private void requireSize(String operation, long size, String what) {
        if (size != size()) {
            throw Errors.invalidArgument(operation, "the variable " + variable,
                    "it has " + size() + " bytes, and " + what + " has " + size);
        }
    }
}
