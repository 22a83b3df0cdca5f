package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Source text with the options to compile it. */
public final class Program extends NativeObject {
    private final String name;

    /**
     * CUDA C++ with the default options.
     *
     * @param code the text
     */
    public Program(String code) {
        this(code, SourceType.CXX, new ProgramOptions());
    }

    /**
     * CUDA C++.
     *
     * @param code the text
     * @param options the compile options
     */
    public Program(String code, ProgramOptions options) {
        this(code, SourceType.CXX, options);
    }

    /**
     * Source text. Compiles nothing yet.
     *
     * @param code the text
     * @param type its language
     * @param options the compile options, which are copied
     */
    public Program(String code, SourceType type, ProgramOptions options) {
        super(create(code, type, options), CuprumNative::cuprum_program_destroy);
        name = options.name();
    }

    /**
     * Compiles to what the device loads directly.
     *
     * @return the code; the caller closes it
     */
    public ObjectCode compile() {
        return compile(CodeType.NATIVE);
    }

    /**
     * Compiles; blocks meanwhile. The toolkit's own header folders are found and added. May be called from several
     * threads at once.
     *
     * @param target the type of code to make
     * @param nameExpressions C++ names of template instances and the like, found again by {@link ObjectCode#getKernel}
     * @return the code; the caller closes it
     * @throws CompileException when the source has errors
     * @throws NotFoundException when NVRTC or its headers are missing
     */
    public ObjectCode compile(CodeType target, String... nameExpressions) {
        return with(Operations.PROGRAM_COMPILE, program -> {
            long[] objectCode = new long[1];
            CuprumNative.cuprum_program_compile(objectCode, program, target.value, nameExpressions);
            return new ObjectCode(objectCode[0]);
        });
    }

    /**
     * Compiles many programs on as many threads as there are cores.
     *
     * @param requests what to compile
     * @return the codes in the order of the requests; the caller closes them
     * @throws CompileException when sources have errors: it names each of the programs, and has the logs of all
     */
    public static List<ObjectCode> compileAll(List<CompileRequest> requests) {
        return compileAll(requests, 0, progress -> {});
    }

    /**
     * Compiles many programs on several threads. All are compiled, also when some fail.
     *
     * @param requests what to compile
     * @param numThreads the most threads; 0 for as many as there are cores
     * @param progress called in this thread as each compile is done; what it throws cancels the compiles that have not
     *     begun, and is thrown when those that have are done
     * @return the codes in the order of the requests; the caller closes them
     * @throws CompileException when sources have errors: it names each of the programs, and has the logs of all
     */
    public static List<ObjectCode> compileAll(
            List<CompileRequest> requests, int numThreads, Consumer<CompileProgress> progress) {
        Objects.requireNonNull(requests, "requests must not be null");
        Objects.requireNonNull(progress, "progress must not be null");
        if (numThreads < 0) {
            throw new IllegalArgumentException("numThreads must not be negative: " + numThreads);
        }
        return CompileBatch.compile(List.copyOf(requests), numThreads, progress);
    }

    /**
     * The compiler's log, such as warnings.
     *
     * @return the log of the last successful compile on this thread; may be empty
     */
    public static String lastLog() {
        String[] log = new String[1];
        CuprumNative.cuprum_program_log(log);
        return log[0];
    }

    /** {@return the diagnostics, such as warnings, of the last successful compile on this thread} */
    public static List<Diagnostic> lastDiagnostics() {
        return Diagnostic.parse(lastLog());
    }

    private static long create(String code, SourceType type, ProgramOptions options) {
        long[] program = new long[1];
        CuprumNative.cuprum_program_create(program, Objects.requireNonNull(code, "code must not be null"), type.value,
                options.name(), options.toCompilerOptions());
        return program[0];
    }

    @Override
    public String toString() {
        return "Program \"" + name + "\"";
    }
}
