package io.cuprum;

/**
 * Kernel arguments that do not fit the kernel's parameters. {@link #detail()} names the position, what the parameter
 * accepts and what was passed.
 */
public final class ArgumentMismatchException extends CuprumException {
    private static final long serialVersionUID = 1L;

    ArgumentMismatchException(Details details) {
        super(details);
    }
}
