package io.cuprum.bindings;

/**
 * An enumerator of a C enumeration. Not a Java enum, because a newer library may give values that this version does not
 * know, and because flags can be combined: {@code of(A.value() | B.value())}. Of a value that has a name there is one
 * object, which may be compared with {@code ==}.
 */
public abstract class NativeEnum {
    private final String name;
    private final int value;

    /**
     * For the enumerations.
     *
     * @param name null if it has none
     * @param value the number in C
     */
    protected NativeEnum(String name, int value) {
        this.name = name;
        this.value = value;
    }

    /**
     * The number that it is in C.
     *
     * @return any number
     */
    public final int value() {
        return value;
    }

    /**
     * The name that it has in C.
     *
     * @return the number as text where it has no name
     */
    @Override
    public final String toString() {
        return name != null ? name : Integer.toString(value);
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && ((NativeEnum) other).value == value;
    }

    @Override
    public final int hashCode() {
        return value;
    }

    /** The first of that value; null if there is none. */
    static <E extends NativeEnum> E find(E[] known, int value) {
        for (E enumerator : known) {
            if (enumerator.value() == value) {
                return enumerator;
            }
        }
        return null;
    }
}
