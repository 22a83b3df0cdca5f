package io.cuprum;

import io.cuprum.internal.CuprumNative;

/**
 * A reduction, op(...op(init, x0)..., xn-1), in any order of evaluation. A transform iterator as input makes it a
 * transform-reduction. Of no elements the result is the initial value.
 */
public final class Reduce extends Algorithm {
    private static final String OPERATION = "reducing";

    private final ElementType accumulator;

    /**
     * Builds a reduction.
     *
     * @param target where it will run
     * @param input its kind and type are compiled in
     * @param op associative
     * @param accumulator the type of the initial value and of the result
     * @throws CompileException when the operator's text does not compile
     */
    public Reduce(BuildTarget target, ElementIterator input, Operator op, ElementType accumulator) {
        super(target, (built, device, architectures) -> {
            CuprumNative.cuprum_parallel_reduce_build(built, device, architectures, input.open("building a reduction"),
                    op.open("building a reduction"), accumulator.text());
            keep(input, op, null, null);
        });
        this.accumulator = accumulator;
    }

    /**
     * Reduces.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets one value
     * @param count of the elements
     * @param init of the accumulator's type
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long count, Number init) {
        run(stream, input, output, count, Value.addressOfTemporary(accumulator, init), CallOptions.NONE);
    }

    /**
     * Reduces.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets one value
     * @param count of the elements
     * @param init of the accumulator's type
     * @param options temporary storage, the operator's state
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long count, Value init, CallOptions options) {
        run(stream, input, output, count, addressOf(OPERATION, init, accumulator), options);
        keep(init, null, null, null);
    }

    /**
     * Reduces on the host.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param count of the elements
     * @param init of the accumulator's type, which is a number
     * @return the result, as {@link Value#number} gives it
     */
    public Number call(Object input, long count, Number init) {
        return run(input, count, Value.addressOfTemporary(accumulator, init)).number();
    }

    /**
     * Reduces on the host.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param count of the elements
     * @param init of the accumulator's type
     * @return the result
     */
    public Value call(Object input, long count, Value init) {
        Value result = run(input, count, addressOf(OPERATION, init, accumulator));
        keep(init, null, null, null);
        return result;
    }

    private Value run(Object input, long count, long init) {
        try (HostCall call = new HostCall(this, OPERATION)) {
            HostArray output = new HostArray(accumulator, 1);
            CuprumNative.cuprum_parallel_reduce(open(OPERATION), 0, call.input(input, count),
                    HostArrays.address(output), count, init, accumulator.size(), 0, 0, 0);
            return output.get(0);
        } finally {
            keep(this, null, null, null);
        }
    }

    private void run(Stream stream, ElementIterator input, Buffer output, long count, long init, CallOptions options) {
        try {
            CuprumNative.cuprum_parallel_reduce(open(OPERATION), stream.open(OPERATION),
                    input.openOnDevice(OPERATION, count),
                    addressOf(OPERATION, "output", output, accumulator, 1), count,
                    init, accumulator.size(), options.op(OPERATION),
                    options.storage(), options.storageSize());
        } finally {
            keep(this, stream, input, output);
            keep(options, null, null, null);
        }
    }
}
