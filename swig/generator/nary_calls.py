"""What builds an algorithm for any number of inputs, and calls it with as many, in Java and C#; and what does it over
arrays in host memory."""

from __future__ import annotations

import string

from algorithms import Algorithm

_JAVA = """
    /**
     * Builds op(x, y, z ...) for the elements at each position of 1 to 8 inputs, for calls in a stream.
     *
     * @param execution where it will run, or what it is built for
     * @param inputs their kinds and types are compiled in
     * @param op sees their elements as {@code a} to {@code h}
     * @param output the type of the results
     * @throws CompileException when the operator's text does not compile
     */
    public ${name}(Execution execution, ElementIterator[] inputs, Operator op, ElementType output) {
        this(execution, inputs, op, output, null);
    }

    /**
     * Builds op(x, y, z ...) for the elements at each position of 1 to 8 inputs, for calls in a stream.
     *
     * @param execution where it will run, or what it is built for
     * @param inputs their kinds and types are compiled in
     * @param op sees their elements as {@code a} to {@code h}
     * @param output the type of the results
     * @param outputIterator what the results are written through; its kind and type are compiled in; null for none
     * @throws CompileException when the operator's text does not compile
     */
    public ${name}(Execution execution, ElementIterator[] inputs, Operator op, ElementType output,
            ElementIterator outputIterator) {
        super(execution, (built, where) -> {
            CuprumNative.${build}(built, where.kind(), where.deviceId(),
                    where.architectures(), where.determinism().ordinal(), open("${building}", inputs),
                    op.open("${building}"), output.text(),
                    outputIterator("${building}", outputIterator));
            keep(inputs, op, outputIterator, null);
        });
        this.outputType = output;
    }

    /**
     * Transforms as many inputs as it was built for.
     *
     * @param stream the stream that the call goes into
     * @param inputs each of the kind that it was built for
     * @param output gets as many values as there are elements
     * @param count how many elements there are
     */
    public void call(Stream stream, ElementIterator[] inputs, Buffer output, long count) {
        runAll(stream, inputs, output, count, CallOptions.NONE);
    }

    /**
     * Transforms as many inputs as it was built for.
     *
     * @param stream the stream that the call goes into
     * @param inputs each of the kind that it was built for
     * @param output gets as many values as there are elements
     * @param count how many elements there are
     * @param options the operator's state
     */
    public void call(Stream stream, ElementIterator[] inputs, Buffer output, long count, CallOptions options) {
        runAll(stream, inputs, output, count, options);
    }

    /**
     * Transforms as many inputs as it was built for, and writes through an iterator.
     *
     * @param stream the stream that the call goes into
     * @param inputs each of the kind that it was built for
     * @param output of the kind that it was built for
     * @param count how many elements there are
     * @param options the operator's state
     */
    public void call(Stream stream, ElementIterator[] inputs, ElementIterator output, long count,
            CallOptions options) {
        runAll(stream, inputs, output, count, options);
    }

    private void runAll(Stream stream, ElementIterator[] inputs, Object output, long count, CallOptions options) {
        try {
            CuprumNative.${call}(open(OPERATION), stream.open(OPERATION),
                    openOnDevice(OPERATION, inputs, count),
                    outputAddress(OPERATION, "output", output, outputType, count),
                    outputIterator(OPERATION, output, count), count, options.op(OPERATION));
        } finally {
            keep(this, stream, inputs, output);
            keep(options, null, null, null);
        }
    }"""

_CSHARP = """
    /// <summary>Builds op(x, y, z ...) for the elements at each position of 1 to 8 inputs, for calls in a
    /// stream.</summary>
    /// <param name="execution">Where it will run, or what it is built for.</param>
    /// <param name="inputs">Their kinds and types are compiled in.</param>
    /// <param name="op">Sees their elements as <c>a</c> to <c>h</c>.</param>
    /// <param name="outputIterator">What the results are written through; its kind and type are compiled in.</param>
    public ${name}(Execution execution, ElementIterator[] inputs, Operator op, ElementIterator outputIterator = null)
        : base(execution, where => {
            const string operation = "${building}";
            IntPtr built;
            CuprumNative.${build}(out built, where.Kind, where.DeviceId,
                where.ArchitectureList, (int)where.Determinism, UseAll(inputs, operation), op.Use(operation),
                ElementText<${type}>.Value, UseOutput(outputIterator, operation));
            return built;
        }) {}

    /// <summary>Transforms as many inputs as it was built for.</summary>
    /// <param name="stream">The stream that the call goes into.</param>
    /// <param name="inputs">Each of the kind that it was built for.</param>
    /// <param name="output">Gets as many values as there are elements.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="op">The operator with the state of this call; null for the one it was built with.</param>
    public void Call(Stream stream, ElementIterator[] inputs, Buffer output, ulong count, Operator op = null) {
        CuprumNative.${call}(Use(Operation), stream.Use(Operation),
            UseAllOnDevice(inputs, Operation, count), AddressOf<${type}>(Operation, "output", output, count),
            NativeHandle.None, count, Use(op, Operation));
    }

    /// <summary>Transforms as many inputs as it was built for, and writes through an iterator.</summary>
    /// <param name="stream">The stream that the call goes into.</param>
    /// <param name="inputs">Each of the kind that it was built for.</param>
    /// <param name="output">Of the kind that it was built for.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="op">The operator with the state of this call; null for the one it was built with.</param>
    public void Call(Stream stream, ElementIterator[] inputs, ElementIterator output, ulong count, Operator op = null) {
        CuprumNative.${call}(Use(Operation), stream.Use(Operation),
            UseAllOnDevice(inputs, Operation, count), 0, output.UseOnDevice(Operation, count), count,
            Use(op, Operation));
    }"""


_JAVA_OVER_ARRAYS = """
    /**
     * op(x, y, z ...) for the elements at each position of 1 to 8 arrays.
     *
     * @param <A> the type of the arrays
     * @param inputs arrays of one length
     * @param op sees their elements as {@code a} to {@code h}
     * @return a new array with as many values, of the first one's type
     */
    public static <A> A ${name}(A[] inputs, Operator op) {
        return ${name}(inputs, op, DEFAULT);
    }

    /**
     * op(x, y, z ...) for the elements at each position of 1 to 8 arrays.
     *
     * @param <A> the type of the arrays
     * @param inputs arrays of one length
     * @param op sees their elements as {@code a} to {@code h}
     * @param execution where it runs
     * @return a new array with as many values, of the first one's type
     */
    public static <A> A ${name}(A[] inputs, Operator op, Execution execution) {
        A results = HostArrays.like(HostArrays.first("${calling}", inputs));
        ${name}(inputs, op, results, execution);
        return results;
    }

    /**
     * op(x, y, z ...) for the elements at each position of 1 to 8 arrays.
     *
     * @param <A> the type of the arrays
     * @param inputs arrays of one length
     * @param op sees their elements as {@code a} to {@code h}
     * @return a new array with as many values, of the first one's type
     */
    public static <A> A ${name}(A[] inputs, String op) {
        return ${name}(inputs, op, DEFAULT);
    }

    /**
     * op(x, y, z ...) for the elements at each position of 1 to 8 arrays.
     *
     * @param <A> the type of the arrays
     * @param inputs arrays of one length
     * @param op sees their elements as {@code a} to {@code h}
     * @param execution where it runs
     * @return a new array with as many values, of the first one's type
     */
    public static <A> A ${name}(A[] inputs, String op, Execution execution) {
        try (Operator made = new Operator(op)) {
            return ${name}(inputs, made, execution);
        }
    }

    /**
     * op(x, y, z ...) for the elements at each position of 1 to 8 arrays.
     *
     * @param inputs arrays of one length, of any types
     * @param op sees their elements as {@code a} to {@code h}
     * @param results an array of the same length, which is overwritten; of any type
     */
    public static void ${name}(Object[] inputs, Operator op, Object results) {
        ${name}(inputs, op, results, DEFAULT);
    }

    /**
     * op(x, y, z ...) for the elements at each position of 1 to 8 arrays.
     *
     * @param inputs arrays of one length, of any types
     * @param op sees their elements as {@code a} to {@code h}
     * @param results an array of the same length, which is overwritten; of any type
     * @param execution where it runs
     */
    public static void ${name}(Object[] inputs, Operator op, Object results, Execution execution) {
        NativeExecution where = NativeExecution.of(execution);
        HostArrayList given = new HostArrayList(inputs);
        HostArray resultElements = HostArrays.room(results);
        CuprumNative.${array}(HostArrays.address(resultElements),
                HostArrays.size(resultElements), where.kind(), where.deviceId(), where.architectures(),
                where.determinism().ordinal(), resultElements.type().text(), given.types(), given.addresses(),
                given.listSize(), given.sizes(), given.listSize(), op.open("${calling}"));
        given.keep();
        Algorithm.keep(resultElements, op, null, null);
        HostArrays.copyBack(resultElements, results);
    }"""

_CSHARP_OVER_ARRAYS = """
    /// <summary>op(x, y, z ...) for the elements at each position of 1 to 8 arrays.</summary>
    /// <param name="inputs">Arrays of one length, of any types.</param>
    /// <param name="op">Sees their elements as <c>a</c> to <c>h</c>.</param>
    /// <param name="execution">Where it runs; null for device 0.</param>
    /// <returns>A new array with as many values.</returns>
    public static TResult[] ${name}<TResult>(Array[] inputs, Operator op, Execution execution = null)
       where TResult : struct {
        Execution where = Execution.OrDevice0(execution);
        using (var given = new PinnedArrays(inputs, "${calling}")) {
            var result = new TResult[given.Length];
            using (var resultMemory = new PinnedValue<TResult>(result)) {
                CuprumNative.${array}(resultMemory.Address, resultMemory.Size, where.Kind,
                    where.DeviceId, where.ArchitectureList, (int)where.Determinism, ElementText<TResult>.Value,
                    given.Types, given.Addresses, given.ListSize, given.Sizes, given.ListSize, op.Use("${calling}"));
            }
            return result;
        }
    }

    /// <summary>
    /// op(x, y, z ...) for the elements at each position of 1 to 8 arrays. The operator is a traced function.
    /// </summary>
    /// <param name="inputs">Arrays of one length, of any types.</param>
    /// <param name="op">Is given their elements.</param>
    /// <param name="execution">Where it runs; null for device 0.</param>
    /// <returns>A new array with as many values.</returns>
    public static TResult[] ${name}<TResult>(Array[] inputs, Func<Symbol[], Symbol> op, Execution execution = null)
       where TResult : struct {
        using (var made = new Operator(Require.NotNull(inputs, nameof(inputs)).Length, op)) {
            return ${name}<TResult>(inputs, made, execution);
        }
    }

    /// <summary>op(x, y, z ...) for the elements at each position of 1 to 8 arrays.</summary>
    /// <param name="inputs">Arrays of one length, of any types.</param>
    /// <param name="op">Sees their elements as <c>a</c> to <c>h</c>.</param>
    /// <param name="execution">Where it runs; null for device 0.</param>
    /// <returns>A new array with as many values.</returns>
    public static TResult[] ${name}<TResult>(Array[] inputs, string op, Execution execution = null)
       where TResult : struct {
        using (var made = new Operator(op)) {
            return ${name}<TResult>(inputs, made, execution);
        }
    }"""


def java(algorithm: Algorithm) -> list[str]:
    return _lines(algorithm, _JAVA)


def csharp(algorithm: Algorithm) -> list[str]:
    return _lines(algorithm, _CSHARP)


def java_over_arrays(algorithm: Algorithm) -> list[str]:
    return _lines(algorithm, _JAVA_OVER_ARRAYS, algorithm.name.lower())


def csharp_over_arrays(algorithm: Algorithm) -> list[str]:
    return _lines(algorithm, _CSHARP_OVER_ARRAYS)


def _lines(algorithm: Algorithm, template: str, name: str = "") -> list[str]:
    if algorithm.nary is None:
        return []
    build, call, array = algorithm.nary
    text = string.Template(template).substitute(
        name=name or algorithm.name,
        array=array.name,
        calling=array.does,
        build=build.name,
        building=build.does,
        call=call.name,
        type=algorithm.types.get("output", ""),
    )
    return text.split("\n")
