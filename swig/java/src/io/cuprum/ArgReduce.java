package io.cuprum;

import io.cuprum.internal.CuprumNative;

/**
 * The first of the smallest or largest elements, and where it is. Of floating-point elements a NaN counts as the
 * extreme: the first NaN is the answer where there is one. Of no elements the index is -1 and the value 0.
 */
public final class ArgReduce extends Algorithm {
    private static final String OPERATION = "finding the extreme element";

    private final ElementType resultType;

    /**
     * Builds an arg-min or arg-max.
     *
     * @param target where it will run
     * @param kind which
     * @param input its kind and type are compiled in: numbers
     * @throws InvalidArgumentException when the elements are structs or complex numbers
     */
    public ArgReduce(BuildTarget target, ArgKind kind, ElementIterator input) {
        super(target, (built, device, architectures) -> {
            CuprumNative.cuprum_parallel_arg_reduce_build(
                    built, device, architectures, kind.ordinal(), input.open("building an arg-reduction"));
            keep(input, null, null, null);
        });
        resultType = ElementType.structure("cuprum_indexed", ElementType.field("index", ElementType.INT64),
                ElementType.field("value", input.type()));
    }

    /** {@return the type of the result: a struct of the fields index, INT64, and value, of the elements' type} */
    public ElementType resultType() {
        return resultType;
    }

    /**
     * Finds the element.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets one value of {@link #resultType}
     * @param count of the elements
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long count) {
        call(stream, input, output, count, CallOptions.NONE);
    }

    /**
     * Finds the element.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets one value of {@link #resultType}
     * @param count of the elements
     * @param options temporary storage
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long count, CallOptions options) {
        try {
            CuprumNative.cuprum_parallel_arg_reduce(open(OPERATION), stream.open(OPERATION),
                    input.openOnDevice(OPERATION, count), addressOf(OPERATION, "output", output, resultType, 1), count,
                    options.storage(), options.storageSize());
        } finally {
            keep(this, stream, input, output);
            keep(options, null, null, null);
        }
    }

    /**
     * Finds the element on the host.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param count of the elements
     * @return one value of {@link #resultType}
     */
    public Value call(Object input, long count) {
        try (HostCall call = new HostCall(this, OPERATION)) {
            HostArray output = new HostArray(resultType, 1);
            CuprumNative.cuprum_parallel_arg_reduce(open(OPERATION), 0, call.input(input, count),
                    HostArrays.address(output), count, 0, 0);
            return output.get(0);
        } finally {
            keep(this, null, null, null);
        }
    }
}
