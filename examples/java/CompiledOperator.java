// An operator that is compiled elsewhere, as LTO-IR, and linked into an algorithm: here a loop, over each element.
// usage: java -cp cuprum.jar:examples CompiledOperator

import io.cuprum.CodeType;
import io.cuprum.ObjectCode;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Passing;
import io.cuprum.Program;
import io.cuprum.ProgramOptions;
import java.util.Arrays;
import java.util.stream.IntStream;

public final class CompiledOperator {
    private static final String SOURCE = """
            extern "C" __device__ int halvings(int a) {
                int steps = 0;
                for (; a > 1; a /= 2) ++steps;
                return steps;
            }
            """;

    private CompiledOperator() {}

    public static void main(String[] arguments) {
        int[] data = IntStream.range(0, 1000).map(i -> i * 7919 % 100003).toArray();
        int[] steps;
        ProgramOptions options =
                new ProgramOptions().name("halvings.cu").relocatableDeviceCode(true).linkTimeOptimization(true);
        // Any compiler of device code will do.
        try (Program program = new Program(SOURCE, options);
                ObjectCode code = program.compile(CodeType.LTOIR);
                Operator op = Operator.compiled("halvings", code, Passing.VALUES)) {
            steps = Parallel.transform(data, op);
        }
        int[] expected = Arrays.stream(data).map(a -> 31 - Integer.numberOfLeadingZeros(Math.max(a, 1))).toArray();
        boolean ok = Arrays.equals(expected, steps);
        System.out.println(data[999] + " takes " + steps[999] + " halvings: " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
