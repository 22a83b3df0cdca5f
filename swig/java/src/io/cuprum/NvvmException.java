package io.cuprum;

/** A libNVVM call that failed for a reason other than an error in the NVVM IR; {@link #code()} is the nvvmResult. */
public final class NvvmException extends CuprumException {
    private static final long serialVersionUID = 1L;

    NvvmException(Details details) {
        super(details);
    }
}
