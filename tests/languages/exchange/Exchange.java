// usage: java Exchange.java save NUMBER FILE | load NUMBER FILE [NUMBER FILE ...]
// Saves a reduction by an operator of that number, or loads some and calls them.

import io.cuprum.Algorithm;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Reduce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

public final class Exchange {
    private Exchange() {}

    public static void main(String[] arguments) throws IOException {
        int[] data = IntStream.rangeClosed(1, 1000).toArray();
        for (int i = 1; i + 1 < arguments.length; i += 2) {
            String text = "a + b + " + arguments[i];
            Path path = Path.of(arguments[i + 1]);
            if (arguments[0].equals("save")) {
                try (ElementIterator elements = ElementIterator.of(ElementType.INT32);
                        Operator op = new Operator(text);
                        Reduce reduce =
                                new Reduce(Execution.aheadOfTime("compute_80"), elements, op, ElementType.INT64)) {
                    Files.write(path, reduce.save());
                }
            } else {
                Algorithm.loadBuilds(new Device(0), Files.readAllBytes(path));
                System.out.println(Parallel.reduce(data, 0L, text));
            }
        }
    }
}
