// A reduction: over an array in one call, and on the device, built once and called as often as wanted.
// usage: java -cp cuprum.jar:examples ParallelReduce

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Reduce;
import io.cuprum.Stream;
import java.util.stream.IntStream;

public final class ParallelReduce {
    private ParallelReduce() {}

    public static void main(String[] arguments) {
        int[] data = IntStream.rangeClosed(1, 10000).toArray();
        long sum = Parallel.reduce(data, 0L, "a + b");

        Device device = new Device(0);
        long[] sumOfSquares = new long[1];
        try (Stream stream = device.createStream();
                Buffer input = device.allocate((long) data.length * Integer.BYTES);
                Buffer output = device.allocate(Long.BYTES);
                ElementIterator elements = ElementIterator.of(ElementType.INT32, input);
                Operator square = new Operator("(long long)a * a");
                // Squares, made while they are read: a transform-reduction.
                ElementIterator squares = elements.transform(square, ElementType.INT64);
                Operator plus = new Operator(OpKind.PLUS);
                Reduce reduce = new Reduce(device, squares, plus, ElementType.INT64)) {
            input.copyFrom(data);
            reduce.call(stream, squares, output, data.length, 0L);
            output.copyTo(sumOfSquares, stream);
        }
        boolean ok = sum == 50005000L && sumOfSquares[0] == 333383335000L;
        System.out.println("sum " + sum + ", sum of squares " + sumOfSquares[0] + ": " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
