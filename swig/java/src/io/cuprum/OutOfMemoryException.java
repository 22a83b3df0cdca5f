package io.cuprum;

/** Host or device memory is exhausted. */
public final class OutOfMemoryException extends CuprumException {
    private static final long serialVersionUID = 1L;

    OutOfMemoryException(Details details) {
        super(details);
    }
}
