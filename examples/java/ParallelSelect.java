// Selection: the elements that meet a condition, in order; over an array in one call, and on the device.
// usage: java -cp cuprum.jar:examples ParallelSelect

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.Select;
import io.cuprum.Stream;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

public final class ParallelSelect {
    private ParallelSelect() {}

    public static void main(String[] arguments) {
        int[] data = IntStream.range(0, 10000).map(i -> (int) (i * 7919L % 10007)).toArray();
        int[] multiples = Parallel.select(data, "a % 3 == 0");

        Device device = new Device(0);
        long[] numbers = new long[data.length];
        long[] count = new long[1];
        try (Stream stream = device.createStream();
                Buffer output = device.allocate((long) numbers.length * Long.BYTES);
                Buffer selected = device.allocate(Long.BYTES);
                // Of 1, 2, 3 and so on, which are in no memory, the squares.
                ElementIterator counting = ElementIterator.counting(ElementType.INT64, 1);
                Operator isSquare = new Operator("long long r = llrint(sqrt((double)a)); return r * r == a;");
                Select select = new Select(device, counting, isSquare)) {
            select.call(stream, counting, output, selected, numbers.length);
            stream.sync();
            output.copyTo(numbers);
            selected.copyTo(count);
        }
        long[] squares = Arrays.copyOf(numbers, (int) count[0]);
        boolean ok = Arrays.equals(Arrays.stream(data).filter(x -> x % 3 == 0).toArray(), multiples)
                && Arrays.equals(LongStream.rangeClosed(1, 100).map(x -> x * x).toArray(), squares);
        System.out.println(multiples.length + " multiples of 3, " + squares.length + " squares: "
                + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
