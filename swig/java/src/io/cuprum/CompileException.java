package io.cuprum;

/** A program that does not compile; {@link #log()} has the compiler's messages. */
public final class CompileException extends CuprumException {
    private static final long serialVersionUID = 1L;

    CompileException(Details details) {
        super(details);
    }
}
