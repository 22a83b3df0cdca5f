package io.cuprum;

/** Something that has not happened yet, such as an event that is still to come. */
public final class NotReadyException extends CuprumException {
    private static final long serialVersionUID = 1L;

    NotReadyException(Details details) {
        super(details);
    }
}
