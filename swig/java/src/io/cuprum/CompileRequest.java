package io.cuprum;

import java.util.List;
import java.util.Objects;

/**
 * One compile of many ({@link Program#compileAll}).
 *
 * @param program what to compile
 * @param target the type of code to make
 * @param nameExpressions C++ names of template instances and the like, found again by {@link ObjectCode#getKernel}
 */
public record CompileRequest(Program program, CodeType target, List<String> nameExpressions) {
    /**
     * Refuses null; copies the names.
     *
     * @param program what to compile
     * @param target the type of code to make
     * @param nameExpressions C++ names of template instances and the like
     */
    public CompileRequest {
        Objects.requireNonNull(program, "program must not be null");
        Objects.requireNonNull(target, "target must not be null");
        nameExpressions = List.copyOf(nameExpressions);
    }

    /**
     * A program that is compiled to what the device loads directly.
     *
     * @param program what to compile
     */
    public CompileRequest(Program program) {
        this(program, CodeType.NATIVE, List.of());
    }
}
