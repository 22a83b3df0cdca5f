package io.cuprum;

/** An nvJitLink call that failed; {@link #code()} is the nvJitLinkResult. */
public final class NvJitLinkException extends CuprumException {
    private static final long serialVersionUID = 1L;

    NvJitLinkException(Details details) {
        super(details);
    }
}
