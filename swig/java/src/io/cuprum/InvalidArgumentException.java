package io.cuprum;

/** A value that the call does not accept, such as a launch beyond the device's limits. */
public final class InvalidArgumentException extends CuprumException {
    private static final long serialVersionUID = 1L;

    InvalidArgumentException(Details details) {
        super(details);
    }
}
