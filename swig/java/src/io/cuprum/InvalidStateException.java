package io.cuprum;

/** An object that is closed, or in a state in which the call makes no sense. */
public final class InvalidStateException extends CuprumException {
    private static final long serialVersionUID = 1L;

    InvalidStateException(Details details) {
        super(details);
    }
}
