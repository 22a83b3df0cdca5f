package io.cuprum;

import io.cuprum.internal.Text;
import io.cuprum.internal.UserMemory;

/** Makes the exceptions. */
final class Errors {
    private Errors() {}

    /**
     * Called from native code, by this name and these types. The texts are UTF-8. What an allocator of the program's has
     * thrown comes out as it is.
     */
    private static Throwable make(int status, int domain, int code, byte[] name, byte[] message, byte[] operation,
                                  byte[] object, byte[] detail, byte[] advice, byte[] log) {
        CuprumException.Details details = new CuprumException.Details(
                Status.of(status), ErrorDomain.of(domain), code, Text.decode(name), Text.decode(message),
                Text.decode(operation), Text.decode(object), Text.decode(detail), Text.decode(advice),
                Text.decode(log));
        if (details.status() == Status.INTERNAL && details.object().equals("memory resource of the program's")) {
            Throwable thrown = UserMemory.takeThrown();
            if (thrown != null) {
                return thrown;
            }
        }
        return of(details);
    }

    /** `object` was used after it had been closed. */
    static CuprumException closed(Object object, String operation) {
        return invalidState(object, operation, "it is closed", "use it before close(), or inside its try block");
    }

    /** A buffer that cannot move, since its memory is viewed. */
    static CuprumException viewed(Object object, String operation) {
        return invalidState(object, operation, "it is viewed as host memory, and may get another address",
                "let go of its views first: each is gone once it is garbage");
    }

    private static CuprumException invalidState(Object object, String operation, String detail, String advice) {
        return of(new CuprumException.Details(
                Status.INVALID_STATE, ErrorDomain.CUPRUM, 0, "CUPRUM_ERROR_INVALID_STATE",
                operation + " (" + object + "): " + detail + "\n" + advice, operation, object.toString(), detail,
                advice, ""));
    }

    /** A value that does not fit `object`. */
    static CuprumException invalidArgument(String operation, String object, String detail) {
        return of(new CuprumException.Details(
                Status.INVALID_ARGUMENT, ErrorDomain.CUPRUM, 0, "CUPRUM_ERROR_INVALID_ARGUMENT",
                operation + " (" + object + "): " + detail, operation, object, detail, "", ""));
    }

    private static CuprumException of(CuprumException.Details details) {
        return switch (details.status()) {
            case INVALID_ARGUMENT -> new InvalidArgumentException(details);
            case INVALID_HANDLE -> new InvalidHandleException(details);
            case INVALID_STATE -> new InvalidStateException(details);
            case OUT_OF_MEMORY -> new OutOfMemoryException(details);
            case LIBRARY_NOT_FOUND, HEADER_NOT_FOUND, SYMBOL_NOT_FOUND -> new NotFoundException(details);
            case DRIVER -> new DriverException(details);
            case NVRTC -> new NvrtcException(details);
            case NVJITLINK -> new NvJitLinkException(details);
            case NVVM -> new NvvmException(details);
            case COMPILE -> new CompileException(details);
            case KERNEL_NOT_FOUND -> new KernelNotFoundException(details);
            case ARGUMENT_MISMATCH -> new ArgumentMismatchException(details);
            case DEVICE_FAULT -> new DeviceFaultException(details);
            case UNSUPPORTED -> new UnsupportedException(details);
            case NOT_READY -> new NotReadyException(details);
            case SUCCESS, INTERNAL -> new CuprumException(details);
        };
    }
}
