"""Calls of a sort between the arrays of a DoubleBuffer, in Java and C#."""

from __future__ import annotations

import string

from algorithms import Algorithm

_JAVA = """
    /**
     * Sorts keys alone, between two buffers.
     *
     * @param stream the stream that the call goes into
     * @param keys the current buffer has the keys, before the call and in order after it
     * @param count how many elements there are
     */
    public void call(Stream stream, DoubleBuffer<Buffer> keys, long count) {
        runBetween(stream, keys, null, count, null, CallOptions.NONE);
    }

    /**
     * Sorts keys between two buffers, and values with them between two others.
     *
     * @param stream the stream that the call goes into
     * @param keys the current buffer has the keys, before the call and in order after it
     * @param values the current buffer has the values, as many as there are keys
     * @param count how many elements there are
     */
    public void call(Stream stream, DoubleBuffer<Buffer> keys, DoubleBuffer<Buffer> values, long count) {
        runBetween(stream, keys, values, count, null, CallOptions.NONE);
    }

    /**
     * Sorts between two buffers.
     *
     * @param stream the stream that the call goes into
     * @param keys the current buffer has the keys, before the call and in order after it
     * @param values the current buffer has the values, as many as there are keys; null for none
     * @param count how many elements there are
     * @param bits which bits of the keys are compared; null for all
     * @param options temporary storage, {@link #doubleBufferStorageBytes}
     */
    public void call(Stream stream, DoubleBuffer<Buffer> keys, DoubleBuffer<Buffer> values, long count, BitRange bits,
            CallOptions options) {
        runBetween(stream, keys, values, count, bits, options);
    }

    private void runBetween(Stream stream, DoubleBuffer<Buffer> keys, DoubleBuffer<Buffer> values, long count,
            BitRange bits, CallOptions options) {
        Buffer valuesCurrent = values == null ? null : values.current();
        Buffer valuesAlternate = values == null ? null : values.alternate();
        int[] isAlternate = new int[1];
        try {
            CuprumNative.${between}(isAlternate, open(OPERATION), stream.open(OPERATION),
                    addressOf(OPERATION, "keys.current", keys.current(), this.keys, count),
                    addressOf(OPERATION, "keys.alternate", keys.alternate(), this.keys, count),
                    addressIfBuilt(OPERATION, "values.current", valuesCurrent, this.values, count),
                    addressIfBuilt(OPERATION, "values.alternate", valuesAlternate, this.values, count), count,
                    bits == null ? 0 : bits.begin(), bits == null ? 0 : bits.end(), options.storage(),
                    options.storageSize());
        } finally {
            keep(this, stream, keys, values);
            keep(options, null, null, null);
        }
        if (isAlternate[0] != 0) {
            DoubleBuffer.swap(keys, values);
        }
    }

    /**
     * How much temporary storage a call between two buffers needs: less than {@link #tempStorageBytes}.
     *
     * @param count the most elements of the call
     * @return bytes
     */
    public long doubleBufferStorageBytes(long count) {
        try {
            long[] bytes = new long[1];
            CuprumNative.${between}_storage_bytes(
                    bytes, open("asking for temporary storage"), count);
            return bytes[0];
        } finally {
            keep(this, null, null, null);
        }
    }

    /**
     * Sorts keys alone, between two arrays, on the host's cores.
     *
     * @param keys the current array has the keys, before the call and in order after it
     * @param count how many elements there are
     */
    public void call(DoubleBuffer<?> keys, long count) {
        run(keys.current(), keys.alternate(), null, null, count, null);
        DoubleBuffer.swap(keys, null);
    }

    /**
     * Sorts keys between two arrays, and values with them between two others, on the host's cores.
     *
     * @param keys the current array has the keys, before the call and in order after it
     * @param values the current array has the values, as many as there are keys
     * @param count how many elements there are
     */
    public void call(DoubleBuffer<?> keys, DoubleBuffer<?> values, long count) {
        run(keys.current(), keys.alternate(), values.current(), values.alternate(), count, null);
        DoubleBuffer.swap(keys, values);
    }"""

_CSHARP_DOCS = {
    "stream": "The stream that the call goes into.",
    "keys": "The current {array} has the keys, before the call and in order after it.",
    "values": "The current {array} has the values, as many as there are keys.",
    "count": "How many elements there are.",
    "bits": "Which bits of the keys are compared; by default all.",
    "tempStorage": "At least DoubleBufferStorageBytes; null for the device's stream-ordered pool.",
}


def java(algorithm: Algorithm) -> list[str]:
    if algorithm.between is None:
        return []
    return string.Template(_JAVA).substitute(between=algorithm.between.name).split("\n")


def csharp(algorithm: Algorithm, *, has_values: bool) -> list[str]:
    """Of the class of keys alone, or of that with values."""
    if algorithm.between is None:
        return []
    name = algorithm.between.name
    what = ", and values with them between two others" if has_values else ""
    on_device = ["stream", "keys", *(["values"] if has_values else []), "count", "bits", "tempStorage"]
    on_host = ["keys", *(["values"] if has_values else []), "bits"]
    types = {
        "stream": "Stream stream",
        "keys": "DoubleBuffer<Buffer> keys",
        "values": "DoubleBuffer<Buffer> values",
        "count": "ulong count",
        "bits": "BitRange bits = default(BitRange)",
        "tempStorage": "Buffer tempStorage = null",
    }
    of_arrays = {"keys": "DoubleBuffer<TKey[]> keys", "values": "DoubleBuffer<TValue[]> values", "bits": types["bits"]}
    values = ["0, 0, count, bits.Begin, bits.End,"]
    if has_values:
        values = [
            'AddressOf<TValue>(Operation, "values.Current", values.Current, count),',
            'AddressOf<TValue>(Operation, "values.Alternate", values.Alternate, count), count, bits.Begin, bits.End,',
        ]
    arrays = "keys.Current, keys.Alternate" + (", values.Current, values.Alternate" if has_values else "")
    swaps = ["keys.Swap();", *(["values.Swap();"] if has_values else [])]
    return [
        "",
        f"    /// <summary>Sorts keys between two buffers{what}.</summary>",
        *_docs(on_device, "buffer"),
        f"    public void Call({', '.join(types[each] for each in on_device[:3])},",
        f"        {', '.join(types[each] for each in on_device[3:])}) {{",
        "        var storage = new TempStorage(tempStorage);",
        "        int isAlternate;",
        f"        CuprumNative.{name}(out isAlternate, Use(Operation), stream.Use(Operation),",
        '            AddressOf<TKey>(Operation, "keys.Current", keys.Current, count),',
        '            AddressOf<TKey>(Operation, "keys.Alternate", keys.Alternate, count),',
        *(f"            {each}" for each in values),
        "            storage.Address, storage.Size);",
        "        if (isAlternate != 0) {",
        *(f"            {each}" for each in swaps),
        "        }",
        "    }",
        "",
        "    /// <summary>Bytes of temporary storage for a call between two buffers with at most this many elements:",
        "    /// less than TempStorageBytes.</summary>",
        "    public ulong DoubleBufferStorageBytes(ulong count) {",
        "        ulong bytes;",
        f"        CuprumNative.{name}_storage_bytes(",
        '            out bytes, Use("asking for temporary storage"), count);',
        "        return bytes;",
        "    }",
        "",
        f"    /// <summary>Sorts keys between two arrays{what}, on the host's cores.</summary>",
        *_docs(on_host, "array"),
        f"    public void Call({', '.join(of_arrays[each] for each in on_host)}) {{",
        f"        Call({arrays}, bits);",
        *(f"        {each}" for each in swaps),
        "    }",
    ]


def _docs(names: list[str], array: str) -> list[str]:
    return [f'    /// <param name="{name}">{_CSHARP_DOCS[name].format(array=array)}</param>' for name in names]
