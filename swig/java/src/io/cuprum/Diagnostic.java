package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One message of a compiler or a linker: an error, a warning or a remark.
 *
 * @param severity the severity
 * @param file the file, by its name in the compile; empty if the log does not name one
 * @param line the line, counted from 1; 0 if the log has none
 * @param column the column, counted from 1; 0 if the log has none
 * @param code the compiler's number for it, such as {@code 177-D}; empty if it has none
 * @param text the message; several lines where the log has more details
 */
public record Diagnostic(Severity severity, String file, int line, int column, String code, String text) {
    /** How bad a diagnostic is. */
    public enum Severity {
        /** Belongs to another diagnostic, or is worth knowing. */
        NOTE,
        /** The code was compiled all the same. */
        WARNING,
        /** The code was not compiled. */
        ERROR
    }

    /**
     * Reads the diagnostics in a log.
     *
     * @param log a log of NVRTC, ptxas or nvJitLink
     * @return its diagnostics, in order
     */
    public static List<Diagnostic> parse(String log) {
        long[] count = new long[1];
        // A NUL ends a text in C.
        String text = Objects.requireNonNull(log, "log must not be null").replace('\0', ' ');
        CuprumNative.cuprum_diagnostics_parse(count, text);
        List<Diagnostic> found = new ArrayList<>();
        int[] severity = new int[1];
        int[] line = new int[1];
        int[] column = new int[1];
        String[] file = new String[1];
        String[] code = new String[1];
        String[] message = new String[1];
        for (long i = 0; i < count[0]; ++i) {
            CuprumNative.cuprum_diagnostic(severity, line, column, file, code, message, i);
            found.add(new Diagnostic(
                    Severity.values()[severity[0]], file[0], line[0], column[0], code[0], message[0]));
        }
        return List.copyOf(found);
    }
}
