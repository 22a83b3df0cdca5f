// Arg-min and arg-max: the first extreme element and where it is, over an array and on the device.
// usage: java -cp cuprum.jar:examples ParallelArgReduce

import io.cuprum.ArgKind;
import io.cuprum.ArgReduce;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.HostArray;
import io.cuprum.Parallel;
import io.cuprum.Stream;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.stream.IntStream;

public final class ParallelArgReduce {
    private ParallelArgReduce() {}

    public static void main(String[] arguments) {
        int[] data = IntStream.range(5000, 15000).map(i -> (int) (i * 7919L % 10007)).toArray();
        long smallest = Parallel.argmin(data);

        Device device = new Device(0);
        Value largest;
        try (Stream stream = device.createStream();
                Buffer input = device.allocate((long) data.length * Integer.BYTES);
                ElementIterator elements = ElementIterator.of(ElementType.INT32, input);
                ArgReduce find = new ArgReduce(device, ArgKind.MAXIMUM, elements);
                Buffer output = device.allocate(find.resultType().size())) {
            input.copyFrom(data);
            find.call(stream, elements, output, data.length);
            HostArray result = new HostArray(find.resultType(), 1);
            stream.sync();
            output.copyTo(result.memory());
            largest = result.get(0);
        }
        int index = largest.get("index").number().intValue();
        boolean ok = data[(int) smallest] == Arrays.stream(data).min().getAsInt()
                && data[index] == Arrays.stream(data).max().getAsInt()
                && data[index] == largest.get("value").number().intValue();
        System.out.println("smallest at " + smallest + ", largest " + largest + ": " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
