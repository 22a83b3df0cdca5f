package io.cuprum.bindings;

/**
 * An enumerator of a C enumeration. Not a Java enum, because a newer library may give values that this version does not
 * know, and because flags can be combined: {@code of(A.value() | B.value())}. A value that has a name has one
 * object, which may be compared with {@code ==}.
 */
public abstract class NativeEnum {
    private final String name;
    private final int value;

    /**
     * For the generated enumerations.
     *
     * @param name null if it has none
     * @param value the number in C
     */
    protected NativeEnum(String name, int value) {
        this.name = name;
        this.value = value;
    }

    /**
     * Its number in C.
     *
     * @return any number
     */
    public final int value() {
        return value;
    }

    /**
     * Its name in C.
     *
     * @return the number as text if it has no name
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

    /** The first enumerator with that value; null if there is none. */
    static <E extends NativeEnum> E find(E[] known, int value) {
        for (E enumerator : known) {
            if (enumerator.value() == value) {
                return enumerator;
            }
        }
        return null;
    }
}
