package io.cuprum;

/** A kernel name that the compiled program does not have. {@link #detail()} names those that it has. */
public final class KernelNotFoundException extends CuprumException {
    private static final long serialVersionUID = 1L;

    KernelNotFoundException(Details details) {
        super(details);
    }
}
