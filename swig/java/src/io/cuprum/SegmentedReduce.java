package io.cuprum;

import io.cuprum.internal.CuprumNative;

/**
 * One reduction per segment of the input: segment i is the elements from begin i up to and without end i. Segments may
 * overlap, leave gaps and be empty. Needs no temporary storage.
 */
public final class SegmentedReduce extends Algorithm {
    private static final String OPERATION = "reducing segments";

    private final ElementType accumulator;
    private final ElementType offsets;

    /**
     * Builds a segmented reduction.
     *
     * @param target where it will run
     * @param input its kind and type are compiled in
     * @param op associative
     * @param accumulator the type of the initial value and of the results
     * @param offsets the type of the segments' begins and ends: INT32 or INT64
     * @throws CompileException when the operator's text does not compile
     */
    public SegmentedReduce(BuildTarget target, ElementIterator input, Operator op, ElementType accumulator,
            ElementType offsets) {
        super(target, (built, device, architectures) -> {
            CuprumNative.cuprum_parallel_segmented_reduce_build(built, device, architectures,
                    input.open("building a segmented reduction"), op.open("building a segmented reduction"),
                    accumulator.text(), offsets.text());
            keep(input, op, null, null);
        });
        this.accumulator = accumulator;
        this.offsets = offsets;
    }

    /**
     * Reduces each segment.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets as many values as there are segments
     * @param segments how many there are
     * @param begins positions in the input; not checked, as they are on the device
     * @param ends the same
     * @param init of the accumulator's type
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long segments, Buffer begins, Buffer ends,
            Number init) {
        run(stream, input, output, segments, begins, ends, Value.addressOfTemporary(accumulator, init),
                CallOptions.NONE);
    }

    /**
     * Reduces each segment.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets as many values as there are segments
     * @param segments how many there are
     * @param begins positions in the input; not checked, as they are on the device
     * @param ends the same
     * @param init of the accumulator's type
     * @param options the operator's state
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long segments, Buffer begins, Buffer ends,
            Value init, CallOptions options) {
        run(stream, input, output, segments, begins, ends, addressOf(OPERATION, init, accumulator), options);
        keep(init, null, null, null);
    }

    private void run(Stream stream, ElementIterator input, Buffer output, long segments, Buffer begins, Buffer ends,
            long init, CallOptions options) {
        try {
            CuprumNative.cuprum_parallel_segmented_reduce(open(OPERATION), stream.open(OPERATION),
                    input.openOnDevice(OPERATION, 0),
                    addressOf(OPERATION, "output", output, accumulator, segments), segments,
                    addressOf(OPERATION, "begins", begins, offsets, segments),
                    addressOf(OPERATION, "ends", ends, offsets, segments), init,
                    accumulator.size(), options.op(OPERATION));
        } finally {
            keep(this, stream, input, null);
            keep(output, begins, ends, options);
        }
    }

    /**
     * Reduces each segment on the host.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param output an array of the accumulator's type; gets as many values as there are segments
     * @param segments how many there are
     * @param begins an array of the offsets' type: positions in the input, not checked
     * @param ends the same
     * @param init of the accumulator's type
     */
    public void call(Object input, Object output, long segments, Object begins, Object ends, Number init) {
        runOnHost(input, output, segments, begins, ends, Value.addressOfTemporary(accumulator, init));
    }

    /**
     * Reduces each segment on the host.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param output an array of the accumulator's type; gets as many values as there are segments
     * @param segments how many there are
     * @param begins an array of the offsets' type: positions in the input, not checked
     * @param ends the same
     * @param init of the accumulator's type
     */
    public void call(Object input, Object output, long segments, Object begins, Object ends, Value init) {
        runOnHost(input, output, segments, begins, ends, addressOf(OPERATION, init, accumulator));
        keep(init, null, null, null);
    }

    private void runOnHost(Object input, Object output, long segments, Object begins, Object ends, long init) {
        try (HostCall call = new HostCall(this, OPERATION)) {
            CuprumNative.cuprum_parallel_segmented_reduce(open(OPERATION), 0, call.input(input),
                    call.results("output", output, accumulator, segments), segments,
                    call.elements("begins", begins, offsets, segments),
                    call.elements("ends", ends, offsets, segments), init, accumulator.size(), 0);
            call.finish();
        } finally {
            keep(this, null, null, null);
        }
    }
}
