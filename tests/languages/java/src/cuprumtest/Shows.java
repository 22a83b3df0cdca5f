package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.bindings.Bindings;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * The functions of tests/conformance/bindings/most_used.txt whose work the test's assertions are about.
 *
 * <p>At the test's end, each of them must have been called in it and have succeeded: the trace of the calls says so.
 * CUPRUM_TEST_SHOWN names a file that gets a line for each function, "shown" if the test has passed, "skipped" with the
 * reason if it was skipped; check_most_used.py reads them.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Shows.Calls.class)
@interface Shows {
    String[] value();

    /** Traces the test's calls. */
    final class Calls implements BeforeEachCallback, AfterEachCallback, TestWatcher {
        // "... us  thread 7  cuInit(Flags=0) = CUDA_SUCCESS"; functions that give a text have that as their result.
        private static final Pattern SUCCEEDED =
                Pattern.compile("thread \\d+  (\\w+)\\(.*\\) = (?:\\w*SUCCESS|cudaSuccess|\".*)$", Pattern.MULTILINE);
        private static final PrintStream RECORD = record();

        private Path trace;

        private static PrintStream record() {
            String file = System.getenv("CUPRUM_TEST_SHOWN");
            try {
                return file == null ? new PrintStream(PrintStream.nullOutputStream())
                        : new PrintStream(Files.newOutputStream(Path.of(file)), true, StandardCharsets.UTF_8);
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }

        @Override
        public void beforeEach(ExtensionContext test) throws IOException {
            trace = Files.createTempFile("cuprum-shows", ".txt");
            Bindings.startTrace(trace.toString());
        }

        @Override
        public void afterEach(ExtensionContext test) throws IOException {
            Bindings.stopTrace();
            Set<String> called = SUCCEEDED.matcher(Files.readString(trace)).results()
                    .map((MatchResult call) -> call.group(1)).collect(Collectors.toSet());
            Files.delete(trace);
            if (test.getExecutionException().isPresent()) {
                return;
            }
            for (String function : functions(test)) {
                assertTrue(called.contains(function), () -> function + " is to be shown, and not called with success");
            }
        }

        @Override
        public void testSuccessful(ExtensionContext test) {
            write("shown", test, "");
        }

        @Override
        public void testAborted(ExtensionContext test, Throwable reason) {
            write("skipped", test, reason.getMessage());
        }

        private static String[] functions(ExtensionContext test) {
            return test.getRequiredTestMethod().getAnnotation(Shows.class).value();
        }

        private static void write(String outcome, ExtensionContext test, String reason) {
            for (String function : functions(test)) {
                RECORD.printf("%s\t%s\t%s\t%s%n", outcome, function, test.getRequiredTestMethod().getName(), reason);
            }
        }
    }
}
