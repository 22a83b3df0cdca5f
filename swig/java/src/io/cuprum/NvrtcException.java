package io.cuprum;

/** An NVRTC call that failed for another reason than the program's text; {@link #code()} is the nvrtcResult. */
public final class NvrtcException extends CuprumException {
    private static final long serialVersionUID = 1L;

    NvrtcException(Details details) {
        super(details);
    }
}
