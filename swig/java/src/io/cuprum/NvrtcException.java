package io.cuprum;

/** An NVRTC call that failed for a reason other than an error in the source; {@link #code()} is the nvrtcResult. */
public final class NvrtcException extends CuprumException {
    private static final long serialVersionUID = 1L;

    NvrtcException(Details details) {
        super(details);
    }
}
