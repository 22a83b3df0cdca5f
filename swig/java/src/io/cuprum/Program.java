package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
     * NVVM IR. Compiles nothing yet.
     *
     * @param code text or bitcode, which is copied
     * @param options the compile options, which are copied
     * @return the program; the caller closes it
     */
    public static Program ofNvvm(byte[] code, ProgramOptions options) {
        Objects.requireNonNull(code, "code must not be null");
        return new Program(createNvvm(code, options), options);
    }

    private Program(long program, ProgramOptions options) {
        super(program, CuprumNative::cuprum_program_destroy);
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
     * @throws NotFoundException when NVRTC or its headers are missing; for NVVM IR, libNVVM or the libdevice asked for
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
        Objects.requireNonNull(code, "code must not be null");
        if (type == SourceType.NVVM) {
            return createNvvm(code.getBytes(StandardCharsets.UTF_8), options);
        }
        long[] program = new long[1];
        CuprumNative.cuprum_program_create(program, code, type.value, options.name(), options.toCompilerOptions());
        return withModules(program[0], options);
    }

    private static long createNvvm(byte[] code, ProgramOptions options) {
        ByteBuffer direct = ByteBuffer.allocateDirect(code.length).put(code);
        try {
            long[] program = new long[1];
            CuprumNative.cuprum_program_create_nvvm(program, CuprumNative.host_address(direct), code.length,
                    options.name(), options.toCompilerOptions());
            return withModules(program[0], options);
        } finally {
            Reference.reachabilityFence(direct);
        }
    }

    private static long withModules(long program, ProgramOptions options) {
        try {
            for (ProgramOptions.Module module : options.extraSources()) {
                ByteBuffer direct = ByteBuffer.allocateDirect(module.code().length).put(module.code());
                try {
                    CuprumNative.cuprum_program_add_module(
                            program, CuprumNative.host_address(direct), module.code().length, module.name());
                } finally {
                    Reference.reachabilityFence(direct);
                }
            }
            return program;
        } catch (RuntimeException error) {
            CuprumNative.cuprum_program_destroy(program);
            throw error;
        }
    }

    @Override
    public String toString() {
        return "Program \"" + name + "\"";
    }
}
