package io.cuprum;

import io.cuprum.internal.CuprumNative;

/**
 * The elements of which a condition is true, in their order, and how many there are. For devices: on the host there are
 * no conditions of one's own.
 */
public final class Select extends Algorithm {
    private static final String OPERATION = "selecting";

    private final ElementType element;

    /**
     * Builds a selection.
     *
     * @param target where it will run; not {@link Execution#HOST}
     * @param input its kind and type are compiled in
     * @param condition of one element, {@code a}
     * @throws CompileException when the condition's text does not compile
     */
    public Select(BuildTarget target, ElementIterator input, Operator condition) {
        super(target, (built, device, architectures) -> {
            CuprumNative.cuprum_parallel_select_build(built, device, architectures,
                    input.open("building a selection"), condition.open("building a selection"));
            keep(input, condition, null, null);
        });
        element = input.type();
    }

    /**
     * Selects.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output has room for all elements, and gets the selected ones; may not overlap the input
     * @param selectedCount gets how many they are, as an INT64
     * @param count of the elements
     */
    public void call(Stream stream, ElementIterator input, Buffer output, Buffer selectedCount, long count) {
        call(stream, input, output, selectedCount, count, CallOptions.NONE);
    }

    /**
     * Selects.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output has room for all elements, and gets the selected ones; may not overlap the input
     * @param selectedCount gets how many they are, as an INT64
     * @param count of the elements
     * @param options temporary storage, the condition's state
     */
    public void call(Stream stream, ElementIterator input, Buffer output, Buffer selectedCount, long count,
            CallOptions options) {
        try {
            CuprumNative.cuprum_parallel_select(open(OPERATION), stream.open(OPERATION),
                    input.openOnDevice(OPERATION, count),
                    addressOf(OPERATION, "output", output, element, count),
                    addressOf(OPERATION, "selectedCount", selectedCount, ElementType.INT64, 1), count,
                    options.op(OPERATION), options.storage(), options.storageSize());
        } finally {
            keep(this, stream, input, output);
            keep(selectedCount, options, null, null);
        }
    }
}
