package io.cuprum;

import java.io.Serializable;
import java.util.List;

/**
 * The root of all exceptions that Cuprum throws. Its message is everything below in one readable text. A call that
 * throws has changed nothing.
 */
public class CuprumException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The details of one failure; no text is null. */
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

    /** {@return the library that {@link #code()} comes from} */
    public ErrorDomain domain() {
        return details.domain;
    }

    /** {@return the domain's own code, for example the CUresult; 0 if it has none} */
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

    /** {@return the object that it was being done to; may be empty} */
    public String object() {
        return details.object;
    }

    /** {@return what was expected and what was given, or the library's own message; may be empty} */
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

    /** {@return the diagnostics of the compiler or the linker, one by one; empty for everything else} */
    public List<Diagnostic> diagnostics() {
        return log().isEmpty() ? List.of() : Diagnostic.parse(log());
    }
}
