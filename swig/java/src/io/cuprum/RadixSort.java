package io.cuprum;

import io.cuprum.internal.CuprumNative;

/**
 * A stable sort by the bits of the keys, which are numbers. Of floating-point keys -0 and +0 are equal; NaNs with the
 * sign bit set come first of all, other NaNs last (in descending order the other way round). The input is left as it
 * is, and the output may not overlap it.
 */
public final class RadixSort extends Algorithm {
    private static final String OPERATION = "sorting";

    private final ElementType keys;
    private final ElementType values;    // null for none

    /**
     * Builds a sort of keys alone.
     *
     * @param target where it will run
     * @param order of the keys
     * @param keys the keys' type
     */
    public RadixSort(BuildTarget target, SortOrder order, ElementType keys) {
        this(target, order, keys, null);
    }

    /**
     * Builds a sort of keys, and of values that move with them.
     *
     * @param target where it will run
     * @param order of the keys
     * @param keys the keys' type
     * @param values the values' type; null for none
     */
    public RadixSort(BuildTarget target, SortOrder order, ElementType keys, ElementType values) {
        super(target, (built, device, architectures) -> CuprumNative.cuprum_parallel_radix_sort_build(built, device,
                architectures, order.ordinal(), keys.text(), values == null ? null : values.text()));
        this.keys = keys;
        this.values = values;
    }

    /**
     * Sorts keys alone, by all their bits.
     *
     * @param stream where it takes its turn
     * @param keysIn are read
     * @param keysOut gets the keys in order
     * @param count of the keys
     */
    public void call(Stream stream, Buffer keysIn, Buffer keysOut, long count) {
        call(stream, keysIn, keysOut, null, null, count, null, CallOptions.NONE);
    }

    /**
     * Sorts keys with values, by all bits of the keys.
     *
     * @param stream where it takes its turn
     * @param keysIn are read
     * @param keysOut gets the keys in order
     * @param valuesIn are read
     * @param valuesOut gets the values in their keys' order
     * @param count of the keys
     */
    public void call(Stream stream, Buffer keysIn, Buffer keysOut, Buffer valuesIn, Buffer valuesOut, long count) {
        call(stream, keysIn, keysOut, valuesIn, valuesOut, count, null, CallOptions.NONE);
    }

    /**
     * Sorts.
     *
     * @param stream where it takes its turn
     * @param keysIn are read
     * @param keysOut gets the keys in order
     * @param valuesIn are read; null for a sort of keys alone
     * @param valuesOut gets the values in their keys' order; null for a sort of keys alone
     * @param count of the keys
     * @param bits are compared; null for all
     * @param options temporary storage
     */
    public void call(Stream stream, Buffer keysIn, Buffer keysOut, Buffer valuesIn, Buffer valuesOut, long count,
            BitRange bits, CallOptions options) {
        sort(this, keys, values, stream, keysIn, keysOut, valuesIn, valuesOut, count, bits, options);
    }

    /** A radix or merge sort. */
    static void sort(Algorithm algorithm, ElementType keys, ElementType values, Stream stream, Buffer keysIn,
            Buffer keysOut, Buffer valuesIn, Buffer valuesOut, long count, BitRange bits, CallOptions options) {
        requireValues(values, valuesIn, valuesOut);
        try {
            CuprumNative.cuprum_parallel_sort(algorithm.open(OPERATION), stream.open(OPERATION),
                    addressOf(OPERATION, "keysIn", keysIn, keys, count),
                    addressOf(OPERATION, "keysOut", keysOut, keys, count),
                    values == null ? 0 : addressOf(OPERATION, "valuesIn", valuesIn, values, count),
                    values == null ? 0 : addressOf(OPERATION, "valuesOut", valuesOut, values, count), count,
                    bits == null ? 0 : bits.begin(), bits == null ? 0 : bits.end(), options.op(OPERATION),
                    options.storage(), options.storageSize());
        } finally {
            keep(algorithm, stream, keysIn, keysOut);
            keep(valuesIn, valuesOut, options, null);
        }
    }

    /**
     * Sorts keys alone on the host, by all their bits.
     *
     * @param keysIn an array; is read
     * @param keysOut an array of the same type; gets the keys in order
     * @param count of the keys
     */
    public void call(Object keysIn, Object keysOut, long count) {
        RadixSort.sortOnHost(this, keys, values, keysIn, keysOut, null, null, count, null);
    }

    /**
     * Sorts keys with values on the host, by all bits of the keys.
     *
     * @param keysIn an array; is read
     * @param keysOut an array of the same type; gets the keys in order
     * @param valuesIn an array; is read
     * @param valuesOut an array of the same type; gets the values in their keys' order
     * @param count of the keys
     */
    public void call(Object keysIn, Object keysOut, Object valuesIn, Object valuesOut, long count) {
        RadixSort.sortOnHost(this, keys, values, keysIn, keysOut, valuesIn, valuesOut, count, null);
    }

    /**
     * Sorts on the host.
     *
     * @param keysIn an array; is read
     * @param keysOut an array of the same type; gets the keys in order
     * @param valuesIn an array, is read; null for a sort of keys alone
     * @param valuesOut an array of the same type, gets the values in their keys' order; null for a sort of keys alone
     * @param count of the keys
     * @param bits are compared; null for all
     */
    public void call(Object keysIn, Object keysOut, Object valuesIn, Object valuesOut, long count, BitRange bits) {
        sortOnHost(this, keys, values, keysIn, keysOut, valuesIn, valuesOut, count, bits);
    }

    /** A radix or merge sort. */
    static void sortOnHost(Algorithm algorithm, ElementType keys, ElementType values, Object keysIn, Object keysOut,
            Object valuesIn, Object valuesOut, long count, BitRange bits) {
        requireValues(values, valuesIn, valuesOut);
        try (HostCall call = new HostCall(algorithm, OPERATION)) {
            CuprumNative.cuprum_parallel_sort(algorithm.open(OPERATION), 0,
                    call.elements("keysIn", keysIn, keys, count), call.results("keysOut", keysOut, keys, count),
                    values == null ? 0 : call.elements("valuesIn", valuesIn, values, count),
                    values == null ? 0 : call.results("valuesOut", valuesOut, values, count), count,
                    bits == null ? 0 : bits.begin(), bits == null ? 0 : bits.end(), 0, 0, 0);
            call.finish();
        } finally {
            keep(algorithm, null, null, null);
        }
    }

    private static void requireValues(ElementType values, Object valuesIn, Object valuesOut) {
        if ((values == null) != (valuesIn == null) || (values == null) != (valuesOut == null)) {
            throw Errors.invalidArgument(OPERATION, "values", values == null
                    ? "are given, and the sort was built for keys alone"
                    : "are null, and the sort was built with values");
        }
    }
}
