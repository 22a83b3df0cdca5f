package io.cuprum;

/**
 * A library, a header folder or a function that is nowhere to be found. {@link #detail()} lists every place that was
 * looked at.
 */
public final class NotFoundException extends CuprumException {
    private static final long serialVersionUID = 1L;

    NotFoundException(Details details) {
        super(details);
    }
}
