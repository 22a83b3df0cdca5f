// Iterators made of each other: cards dealt in a random order, written where it says and read backwards in steps.
// usage: java -cp cuprum.jar:examples ParallelIterators

import io.cuprum.Buffer;
import io.cuprum.CallOptions;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Reduce;
import io.cuprum.Stream;
import io.cuprum.Transform;
import java.util.Arrays;
import java.util.stream.IntStream;

public final class ParallelIterators {
    private static final int CARDS = 52;

    private ParallelIterators() {}

    public static void main(String[] arguments) {
        Device device = new Device(0);
        int[] dealt = new int[CARDS];
        int[] total = new int[1];
        try (Stream stream = device.createStream();
                Buffer table = device.allocate((long) CARDS * Integer.BYTES);
                Buffer sum = device.allocate(Integer.BYTES);
                ElementIterator deck = ElementIterator.counting(ElementType.INT32, 1);
                ElementIterator onTable = ElementIterator.of(ElementType.INT32, table);
                // Card i goes to place shuffle(i): the order is in no memory.
                ElementIterator order = ElementIterator.shuffle(CARDS, 2026);
                ElementIterator places = onTable.permute(order);
                Operator identity = new Operator(OpKind.IDENTITY);
                Transform deal = new Transform(device, deck, identity, ElementType.INT32, places);
                // Every fourth card from the last one backwards: one player's hand.
                ElementIterator hand = onTable.strided(-4, CARDS - 1);
                Operator plus = new Operator(OpKind.PLUS);
                Reduce add = new Reduce(device, hand, plus, ElementType.INT32)) {
            deal.call(stream, deck, null, places, CARDS, new CallOptions());
            add.call(stream, hand, sum, CARDS / 4, 0);
            stream.sync();
            table.copyTo(dealt);
            sum.copyTo(total);
        }
        int expected = IntStream.range(0, CARDS / 4).map(i -> dealt[CARDS - 1 - 4 * i]).sum();
        Arrays.sort(dealt);
        boolean ok = Arrays.equals(IntStream.rangeClosed(1, CARDS).toArray(), dealt) && total[0] == expected;
        System.out.println("each card once, a hand of " + total[0] + ": " + (ok ? "ok" : "WRONG"));
        System.exit(ok ? 0 : 1);
    }
}
