package io.cuprum;

/** A CUDA driver call that failed; {@link #code()} is the CUresult. */
public class DriverException extends CuprumException {
    private static final long serialVersionUID = 1L;

    DriverException(Details details) {
        super(details);
    }
}
