package io.cuprum;

import io.cuprum.internal.CuprumNative;

/**
 * A stable sort by a comparison, a strict weak ordering: NaNs need a place in it. The output may be the input's own
 * memory, and may not overlap it otherwise.
 */
public final class MergeSort extends Algorithm {
    private final ElementType keys;
    private final ElementType values;    // null for none

    /**
     * Builds a sort of keys alone.
     *
     * @param target where it will run
     * @param compare whether {@code a} comes before {@code b}
     * @param keys the keys' type
     * @throws CompileException when the comparison's text does not compile
     */
    public MergeSort(BuildTarget target, Operator compare, ElementType keys) {
        this(target, compare, keys, null);
    }

    /**
     * Builds a sort of keys, and of values that move with them.
     *
     * @param target where it will run
     * @param compare whether {@code a} comes before {@code b}
     * @param keys the keys' type
     * @param values the values' type; null for none
     * @throws CompileException when the comparison's text does not compile
     */
    public MergeSort(BuildTarget target, Operator compare, ElementType keys, ElementType values) {
        super(target, (built, device, architectures) -> {
            CuprumNative.cuprum_parallel_merge_sort_build(built, device, architectures,
                    compare.open("building a merge sort"), keys.text(), values == null ? null : values.text());
            keep(compare, null, null, null);
        });
        this.keys = keys;
        this.values = values;
    }

    /**
     * Sorts keys alone.
     *
     * @param stream where it takes its turn
     * @param keysIn are read
     * @param keysOut gets the keys in order
     * @param count of the keys
     */
    public void call(Stream stream, Buffer keysIn, Buffer keysOut, long count) {
        call(stream, keysIn, keysOut, null, null, count, CallOptions.NONE);
    }

    /**
     * Sorts keys with values.
     *
     * @param stream where it takes its turn
     * @param keysIn are read
     * @param keysOut gets the keys in order
     * @param valuesIn are read
     * @param valuesOut gets the values in their keys' order
     * @param count of the keys
     */
    public void call(Stream stream, Buffer keysIn, Buffer keysOut, Buffer valuesIn, Buffer valuesOut, long count) {
        call(stream, keysIn, keysOut, valuesIn, valuesOut, count, CallOptions.NONE);
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
     * @param options temporary storage, the comparison's state
     */
    public void call(Stream stream, Buffer keysIn, Buffer keysOut, Buffer valuesIn, Buffer valuesOut, long count,
            CallOptions options) {
        RadixSort.sort(this, keys, values, stream, keysIn, keysOut, valuesIn, valuesOut, count, null, options);
    }

    /**
     * Sorts keys alone on the host.
     *
     * @param keysIn an array; is read
     * @param keysOut an array of the same type; gets the keys in order
     * @param count of the keys
     */
    public void call(Object keysIn, Object keysOut, long count) {
        RadixSort.sortOnHost(this, keys, values, keysIn, keysOut, null, null, count, null);
    }

    /**
     * Sorts keys with values on the host.
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
}
