package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** Prefix sums over any associative operator. */
public final class Scan extends Algorithm {
    private static final String OPERATION = "scanning";

    private final ScanKind kind;
    private final ElementType accumulator;

    /**
     * Builds a scan.
     *
     * @param target where it will run
     * @param kind which elements each result is of
     * @param input its kind and type are compiled in
     * @param op associative
     * @param accumulator the type of the initial value and of the results
     * @throws CompileException when the operator's text does not compile
     */
    public Scan(BuildTarget target, ScanKind kind, ElementIterator input, Operator op, ElementType accumulator) {
        super(target, (built, device, architectures) -> {
            CuprumNative.cuprum_parallel_scan_build(built, device, architectures, kind.ordinal(),
                    input.open("building a scan"), op.open("building a scan"), accumulator.text());
            keep(input, op, null, null);
        });
        this.kind = kind;
        this.accumulator = accumulator;
    }

    /**
     * Scans without an initial value.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets as many values as there are elements; may be the input's memory if of one type
     * @param count of the elements
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long count) {
        call(stream, input, output, count, null, CallOptions.NONE);
    }

    /**
     * Scans with an initial value.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets as many values as there are elements; may be the input's memory if of one type
     * @param count of the elements
     * @param init of the accumulator's type
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long count, Number init) {
        run(stream, input, output, count, Value.addressOfTemporary(accumulator, init), CallOptions.NONE);
    }

    /**
     * Scans.
     *
     * @param stream where it takes its turn
     * @param input of the kind that it was built for
     * @param output gets as many values as there are elements; may be the input's memory if of one type
     * @param count of the elements
     * @param init of the accumulator's type; null for {@link ScanKind#INCLUSIVE}
     * @param options temporary storage, the operator's state
     */
    public void call(Stream stream, ElementIterator input, Buffer output, long count, Value init, CallOptions options) {
        run(stream, input, output, count, addressOfInit(init), options);
        keep(init, null, null, null);
    }

    /**
     * Scans on the host, without an initial value.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param output an array of the accumulator's type, also the input's; gets as many values as there are elements
     * @param count of the elements
     */
    public void call(Object input, Object output, long count) {
        call(input, output, count, (Value) null);
    }

    /**
     * Scans on the host.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param output an array of the accumulator's type, also the input's; gets as many values as there are elements
     * @param count of the elements
     * @param init of the accumulator's type
     */
    public void call(Object input, Object output, long count, Number init) {
        run(input, output, count, Value.addressOfTemporary(accumulator, init));
    }

    /**
     * Scans on the host.
     *
     * @param input an array, or an iterator of the kind that it was built for
     * @param output an array of the accumulator's type, also the input's; gets as many values as there are elements
     * @param count of the elements
     * @param init of the accumulator's type; null for {@link ScanKind#INCLUSIVE}
     */
    public void call(Object input, Object output, long count, Value init) {
        run(input, output, count, addressOfInit(init));
        keep(init, null, null, null);
    }

    /** An address, 0 for none. */
    private long addressOfInit(Value init) {
        if (init == null && kind != ScanKind.INCLUSIVE) {
            throw Errors.invalidArgument(OPERATION, "init", "is null, and the scan was built as " + kind);
        }
        return init == null ? 0 : addressOf(OPERATION, init, accumulator);
    }

    private void run(Object input, Object output, long count, long init) {
        try (HostCall call = new HostCall(this, OPERATION)) {
            CuprumNative.cuprum_parallel_scan(open(OPERATION), 0, call.input(input, count),
                    call.results("output", output, accumulator, count), count, init, init == 0 ? 0 : accumulator.size(),
                    0, 0, 0);
            call.finish();
        } finally {
            keep(this, null, null, null);
        }
    }

    /** `init` is an address, 0 for none. */
    private void run(Stream stream, ElementIterator input, Buffer output, long count, long init, CallOptions options) {
        try {
            CuprumNative.cuprum_parallel_scan(open(OPERATION), stream.open(OPERATION),
                    input.openOnDevice(OPERATION, count),
                    addressOf(OPERATION, "output", output, accumulator, count), count,
                    init, init == 0 ? 0 : accumulator.size(), options.op(OPERATION), options.storage(),
                    options.storageSize());
        } finally {
            keep(this, stream, input, output);
            keep(options, null, null, null);
        }
    }
}
