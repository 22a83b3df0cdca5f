package io.cuprum;

/** A native handle that is none, or no longer one. */
public final class InvalidHandleException extends CuprumException {
    private static final long serialVersionUID = 1L;

    InvalidHandleException(Details details) {
        super(details);
    }
}
