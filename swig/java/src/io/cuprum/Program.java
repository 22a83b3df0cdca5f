package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.util.Objects;

/** Source text, and what to make of it. */
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
     * @param options how to compile it
     */
    public Program(String code, ProgramOptions options) {
        this(code, SourceType.CXX, options);
    }

    /**
     * Source text. Compiles nothing yet.
     *
     * @param code the text
     * @param type its language
     * @param options how to compile it; copied
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
     * @param target what to make
     * @param nameExpressions C++ names of template instances and the like, found again by {@link ObjectCode#getKernel}
     * @return the code; the caller closes it
     * @throws CompileException when the source is at fault
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
     * What the compiler said, such as warnings.
     *
     * @return the log of the last successful compile on this thread; empty if it said nothing
     */
    public static String lastLog() {
        String[] log = new String[1];
        CuprumNative.cuprum_program_log(log);
        return log[0];
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
