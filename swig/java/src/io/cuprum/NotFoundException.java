package io.cuprum;

/**
 * A library, a header folder or a function that was not found. {@link #detail()} lists every place searched.
 */
public final class NotFoundException extends CuprumException {
    private static final long serialVersionUID = 1L;

    NotFoundException(Details details) {
        super(details);
    }
}
