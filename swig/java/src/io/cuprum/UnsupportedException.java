package io.cuprum;

/** Something that this driver, device, toolkit or build cannot do. */
public final class UnsupportedException extends CuprumException {
    private static final long serialVersionUID = 1L;

    UnsupportedException(Details details) {
        super(details);
    }
}
