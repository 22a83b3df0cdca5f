package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that is wrong or worth knowing, and what to do about it.
 *
 * @param severity the severity
 * @param subject what has the problem, such as "driver"
 * @param problem the problem
 * @param remedy how to fix it, if possible as a command
 */
public record Finding(Severity severity, String subject, String problem, String remedy) {
    /** How bad a finding is. */
    public enum Severity {
        /** Worth knowing. */
        NOTE,
        /** Something does not work. */
        WARNING,
        /** Nothing works. */
        ERROR
    }

    /** What this thread's last diagnosis found. */
    static List<Finding> ofThread(long count) {
        List<Finding> findings = new ArrayList<>();
        int[] severity = new int[1];
        String[] subject = new String[1];
        String[] problem = new String[1];
        String[] remedy = new String[1];
        for (long i = 0; i < count; ++i) {
            CuprumNative.cuprum_finding(severity, subject, problem, remedy, i);
            findings.add(new Finding(Severity.values()[severity[0]], subject[0], problem[0], remedy[0]));
        }
        return List.copyOf(findings);
    }
}
