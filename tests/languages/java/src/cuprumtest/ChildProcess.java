package cuprumtest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs {@link Child} in a JVM of its own, with a changed environment. */
final class ChildProcess {
    final int exitStatus;
    final String output;

    private ChildProcess(int exitStatus, String output) {
        this.exitStatus = exitStatus;
        this.output = output;
    }

    static final class Builder {
        private final List<String> jvmOptions = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private Path directory;

        Builder jvmOption(String option) {
            jvmOptions.add(option);
            return this;
        }

        /** A null value removes the variable. */
        Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Makes paths that contain one of the words look absent. */
        Builder hide(String... words) {
            environment.put("LD_PRELOAD", System.getenv("CUPRUM_TEST_HIDE_PATHS"));
            environment.put("HIDE_PATHS", String.join(":", words));
            return this;
        }

        Builder directory(Path directory) {
            this.directory = directory;
            return this;
        }

        Process start(String scenario) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(jvmOptions);
            command.addAll(List.of("-cp", System.getenv("CUPRUM_TEST_CLASSPATH"), "cuprumtest.Child", scenario));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            environment.forEach((name, value) -> {
                if (value == null) {
                    builder.environment().remove(name);
                } else {
                    builder.environment().put(name, value);
                }
            });
            if (directory != null) {
                builder.directory(directory.toFile());
            }
            return builder.start();
        }

        ChildProcess run(String scenario) throws IOException, InterruptedException {
            return finish(start(scenario));
        }
    }

    static ChildProcess finish(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new ChildProcess(process.waitFor(), output);
    }
}
