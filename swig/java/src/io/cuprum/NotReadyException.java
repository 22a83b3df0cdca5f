package io.cuprum;

/** Something that has not happened yet, such as an event that is not yet complete. */
public final class NotReadyException extends CuprumException {
    private static final long serialVersionUID = 1L;

    NotReadyException(Details details) {
        super(details);
    }
}
