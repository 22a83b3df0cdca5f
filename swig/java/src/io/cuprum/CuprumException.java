package io.cuprum;

import java.io.Serializable;

/**
 * The root of all exceptions that Cuprum throws. Its message is everything below in one readable text. A call that
 * throws has changed nothing.
 */
public class CuprumException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What one failure says; no text is null. */
    record Details(Status status, ErrorDomain domain, int code, String name, String message, String operation,
                   String object, String detail, String advice, String log) implements Serializable {}

    private final Details details;

    CuprumException(Details details) {
        super(details.message);
        this.details = details;
    }

    /** {@return what kind of failure it was} */
    public Status status() {
        return details.status;
    }

    /** {@return whose code {@link #code()} is} */
    public ErrorDomain domain() {
        return details.domain;
    }

    /** {@return the domain's own code, for example the CUresult; 0 where there is none} */
    public int code() {
        return details.code;
    }

    /** {@return the code's name, such as {@code CUDA_ERROR_INVALID_VALUE}; may be empty} */
    public String name() {
        return details.name;
    }

    /** {@return what was being done; may be empty} */
    public String operation() {
        return details.operation;
    }

    /** {@return to which object it was done; may be empty} */
    public String object() {
        return details.object;
    }

    /** {@return what was expected and what was given, or what the library itself said; may be empty} */
    public String detail() {
        return details.detail;
    }

    /** {@return what to do about it; may be empty} */
    public String advice() {
        return details.advice;
    }

    /** {@return a compile's log, with line numbers; empty for everything else} */
    public String log() {
        return details.log;
    }
}
