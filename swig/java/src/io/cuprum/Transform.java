package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** op(x) of every element, or op(x, y) of every pair of elements. Needs no temporary storage. */
public final class Transform extends Algorithm {
    private static final String OPERATION = "transforming";

    private final ElementType output;

    /**
     * Builds op(x) of every element.
     *
     * @param target where it will run
     * @param input its kind and type are compiled in
     * @param op sees the element as {@code a}
     * @param output the type of the results
     * @throws CompileException when the operator's text does not compile
     */
    public Transform(BuildTarget target, ElementIterator input, Operator op, ElementType output) {
        this(target, input, null, op, output);
    }

    /**
     * Builds op(x, y) of every pair of elements.
     *
     * @param target where it will run
     * @param first its kind and type are compiled in
     * @param second the same; null for one input
     * @param op sees the elements as {@code a} and {@code b}
     * @param output the type of the results
     * @throws CompileException when the operator's text does not compile
     */
    public Transform(BuildTarget target, ElementIterator first, ElementIterator second, Operator op,
            ElementType output) {
        super(target, (built, device, architectures) -> {
            String operation = "building a transformation";
            CuprumNative.cuprum_parallel_transform_build(built, device, architectures, first.open(operation),
                    second == null ? 0 : second.open(operation), op.open(operation), output.text());
            keep(first, second, op, null);
        });
        this.output = output;
    }

    /**
     * Transforms one input.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets the results; may be the input's own memory where the types are the same
     * @param count of the elements
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long count) {
        call(stream, input, null, output, count, CallOptions.NONE);
    }

    /**
     * Transforms two inputs.
     *
     * @param stream where it takes its turn
     * @param first of the kind that it was built for
     * @param second the same
     * @param output gets the results; may be an input's own memory where the types are the same
     * @param count of the pairs
     */
    public void call(Stream stream, ElementIterator first, ElementIterator second, Buffer output, long count) {
        call(stream, first, second, output, count, CallOptions.NONE);
    }

    /**
     * Transforms.
     *
     * @param stream where it takes its turn
     * @param first of the kind that it was built for
     * @param second the same; null for one input
     * @param results gets them; may be an input's own memory where the types are the same
     * @param count of the elements
     * @param options the operator's state
     */
    public void call(Stream stream, ElementIterator first, ElementIterator second, Buffer results, long count,
            CallOptions options) {
        try {
            CuprumNative.cuprum_parallel_transform(open(OPERATION), stream.open(OPERATION),
                    first.openOnDevice(OPERATION, count),
                    second == null ? 0 : second.openOnDevice(OPERATION, count),
                    addressOf(OPERATION, "output", results, output, count), count, options.op(OPERATION));
        } finally {
            keep(this, stream, first, second);
            keep(results, options, null, null);
        }
    }

    /**
     * Transforms one input on the host.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param output an array of the results' type, also the input's; gets the results
     * @param count of the elements
     */
    public void call(Object input, Object output, long count) {
        runOnHost(input, null, output, count);
    }

    /**
     * Transforms two inputs on the host.
     *
     * @param first an array, or an iterator of the kind that it was built for
     * @param second the same
     * @param output an array of the results' type, also an input's; gets the results
     * @param count of the pairs
     */
    public void call(Object first, Object second, Object output, long count) {
        if (second == null) {
            throw Errors.invalidArgument(OPERATION, "second", "is null: leave it out where there is one input");
        }
        runOnHost(first, second, output, count);
    }

    private void runOnHost(Object first, Object second, Object results, long count) {
        try (HostCall call = new HostCall(this, OPERATION)) {
            CuprumNative.cuprum_parallel_transform(open(OPERATION), 0, call.input(first, count),
                    second == null ? 0 : call.input(second, count), call.results("output", results, output, count),
                    count, 0);
            call.finish();
        } finally {
            keep(this, null, null, null);
        }
    }
}
