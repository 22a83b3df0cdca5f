package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Device;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HostArray;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Parallel;
import io.cuprum.SortOrder;
import io.cuprum.Value;
import org.junit.jupiter.api.Test;

/** Radix sorts of structs, by their fields in their order. */
final class StructKeyTest {
    private static final ElementType PERSON = ElementType.structure("Person", ElementType.field("age", ElementType.INT8),
            ElementType.field("weight", ElementType.FLOAT32));

    @Test
    void laterFieldsDecideWhereEarlierOnesAreEqual() {
        for (Execution execution : new Execution[] {new Device(0), Execution.HOST}) {
            HostArray people = new HostArray(PERSON, 4);
            people.set(0, 3, 1.5);
            people.set(1, -1, 2.5);
            people.set(2, 3, -0.5);
            people.set(3, 0, 9);
            Parallel.sort(people, SortOrder.ASCENDING, execution);
            assertEquals(Value.of(PERSON, -1, 2.5), people.get(0));
            assertEquals(Value.of(PERSON, 0, 9), people.get(1));
            assertEquals(Value.of(PERSON, 3, -0.5), people.get(2));
            assertEquals(Value.of(PERSON, 3, 1.5), people.get(3));
        }
        ElementType complex = ElementType.structure("C", ElementType.field("z", ElementType.COMPLEX64));
        assertThrows(InvalidArgumentException.class, () -> Parallel.sort(new HostArray(complex, 2)));
    }
}
