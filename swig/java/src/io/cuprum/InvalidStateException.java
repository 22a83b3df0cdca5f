package io.cuprum;

/** An object that is closed, or in the wrong state for the call. */
public final class InvalidStateException extends CuprumException {
    private static final long serialVersionUID = 1L;

    InvalidStateException(Details details) {
        super(details);
    }
}
