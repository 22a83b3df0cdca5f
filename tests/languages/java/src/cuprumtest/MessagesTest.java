package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What Cuprum says to every mistake of {@link Mistakes}, which prints all of it, to be read. */
class MessagesTest {
    private static final Pattern VARIABLES = Pattern.compile("\\bCUPRUM_(DRIVER|SIM|CACHE|TOOLKIT)\\b");
    private static final Map<String, String> FORBIDDEN = new LinkedHashMap<>();

    static {
        FORBIDDEN.put("\\bcuprum_\\w+", "a function of the C ABI");
        FORBIDDEN.put("\\bCUPRUM_[A-Z]+_[A-Z]+\\b", "a constant of the C ABI");
        FORBIDDEN.put("[A-Za-z]::[A-Za-z~]", "a C++ name");
        FORBIDDEN.put("\\b(invalid_argument|invalid_state|kernel_not_found|library_not_found)\\b", "a status as a reason");
        FORBIDDEN.put("\\bslicing\\b", "not what was asked for");
        FORBIDDEN.put("<local\\d", "a variable without its name");
        FORBIDDEN.put("io\\.cuprum\\.internal", "an internal class");
    }

    /** What is wrong with a message. */
    static List<String> problemsOf(String message) {
        List<String> problems = new ArrayList<>();
        if (message == null || message.length() < 10) {
            problems.add("too short to tell anything");
            return problems;
        }
        String text = VARIABLES.matcher(message).replaceAll("");
        FORBIDDEN.forEach((pattern, why) -> {
            var found = Pattern.compile(pattern).matcher(text);
            if (found.find()) {
                problems.add(why + ": " + found.group());
            }
        });
        List<String> lines = Arrays.stream(message.split("\n")).map(String::strip).filter(line -> !line.isEmpty()).toList();
        for (int i = 0; i < lines.size() && !message.contains("^"); ++i) {
            String said = lines.get(i).replaceAll("^(\\w+: )*", "");
            for (int j = 0; j < lines.size(); ++j) {
                if (i != j && said.length() > 20 && lines.get(j).contains(said)) {
                    problems.add("said twice: " + said);
                }
            }
        }
        return problems;
    }

    @Test
    void everyMistakeIsAnsweredInWordsThatHelp() {
        StringBuilder wrong = new StringBuilder();
        try (Mistakes mistakes = new Mistakes()) {
            mistakes.actions.forEach((mistake, action) -> {
                Throwable error = Mistakes.provoke(action);
                List<String> problems =
                        error == null ? List.of("no error") : new ArrayList<>(problemsOf(error.getMessage()));
                if (!problems.isEmpty()) {
                    wrong.append(mistake).append("\n  ").append(error).append("\n  -> ").append(problems).append("\n");
                }
            });
        }
        assertEquals("", wrong.toString());
    }

    @Test
    void aFaultIsDescribedOnce() throws Exception {
        ChildProcess child = new ChildProcess.Builder().run("provoke-faults");
        assertEquals(0, child.exitStatus, child.output);
        assertTrue(child.output.contains("DeviceFaultException"), child.output);
        String message = child.output.substring(child.output.indexOf('\n'));
        assertEquals(List.of(), problemsOf(message), child.output);
        assertTrue(message.contains("the context is lost"), child.output);
    }

    @Test
    void badMessagesWouldBeFound() {
        assertFalse(problemsOf("create both with EventOptions::timing_enabled").isEmpty());
        assertFalse(problemsOf("waiting for it: X\nkernel 'k' wrote to 0x0\nsync: kernel 'k' wrote to 0x0").isEmpty());
        assertFalse(problemsOf(null).isEmpty());
        assertTrue(problemsOf("the size of a buffer must not be negative: -1").isEmpty());
    }
}
