package io.cuprum;

/** A handle that was never valid, or whose object has been destroyed. */
public final class InvalidHandleException extends CuprumException {
    private static final long serialVersionUID = 1L;

    InvalidHandleException(Details details) {
        super(details);
    }
}
