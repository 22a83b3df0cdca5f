package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.AccessPolicyWindow;
import io.cuprum.AccessProperty;
import io.cuprum.Buffer;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.Dimensions;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Kernel;
import io.cuprum.LaunchConfig;
import io.cuprum.MemorySyncDomain;
import io.cuprum.MemorySyncDomainMap;
import io.cuprum.Stream;
import io.cuprum.UnsupportedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class LaunchConfigTest {
    private static final String ADD = "extern \"C\" __global__ void add(int* x) { atomicAdd(x, 1); }";
    private static final LaunchConfig PLAIN = new LaunchConfig(2, 16);

    private final Device device = new Device(0);

    @Test
    void whatALaunchAsksForReachesTheDriver() {
        try (Kernel add = Fixtures.kernel(ADD, "add");
                Stream stream = device.createStream();
                Buffer x = device.allocate(Integer.BYTES)) {
            x.copyFrom(new int[1], stream);
            AccessPolicyWindow window = new AccessPolicyWindow(
                    x.handle(), x.size(), 0.5f, AccessProperty.PERSISTING, AccessProperty.NORMAL);
            List<LaunchConfig> configs = List.of(
                    PLAIN.withProgrammaticStreamSerialization(true), PLAIN.withCooperative(true),
                    PLAIN.withPriority(-1), PLAIN.withPreferredSharedMemoryCarveout(100),
                    PLAIN.withMemorySyncDomain(MemorySyncDomain.REMOTE)
                            .withMemorySyncDomainMap(new MemorySyncDomainMap(0, 0)),
                    PLAIN.withAccessPolicyWindow(window), PLAIN.withCluster(new Dimensions(1)));
            for (LaunchConfig config : configs) {
                stream.launch(config, add, x);
            }
            int[] result = new int[1];
            x.copyTo(result, stream);
            assertEquals(configs.size() * 32, result[0]);
        }
    }

    @Test
    void whatTheDeviceDoesNotHaveIsRefused() {
        try (Kernel add = Fixtures.kernel(ADD, "add");
                Stream stream = device.createStream();
                Buffer x = device.allocate(Integer.BYTES)) {
            InvalidArgumentException carveout = assertThrows(InvalidArgumentException.class,
                    () -> stream.launch(PLAIN.withPreferredSharedMemoryCarveout(101), add, x));
            assertTrue(carveout.getMessage().contains("101"), carveout.getMessage());
            assertThrows(CuprumException.class,
                    () -> stream.launch(PLAIN.withMemorySyncDomainMap(new MemorySyncDomainMap(255, 255)), add, x));
            LaunchConfig clusters = new LaunchConfig(new Dimensions(1), new Dimensions(2), new Dimensions(32));
            if (device.name().contains("imulator")) {
                UnsupportedException error =
                        assertThrows(UnsupportedException.class, () -> stream.launch(clusters, add, x));
                assertTrue(error.getMessage().contains("(2, 1, 1)"), error.getMessage());
            }
            stream.sync();
        }
    }

    @Test
    void aKernelTellsWhatClustersADeviceTakes() {
        LaunchConfig clusters = new LaunchConfig(new Dimensions(4), new Dimensions(2), new Dimensions(32));
        try (Kernel add = Fixtures.kernel(ADD, "add");
                Stream stream = device.createStream()) {
            if (device.name().contains("imulator")) {
                UnsupportedException largest = assertThrows(
                        UnsupportedException.class, () -> add.maxPotentialClusterSize(clusters, stream));
                assertTrue(largest.getMessage().contains("asking for the largest cluster"), largest.getMessage());
                assertThrows(UnsupportedException.class, () -> add.maxActiveClusters(clusters, stream));
            } else {
                assertEquals(8, add.maxPotentialClusterSize(clusters, stream));
                assertTrue(add.maxActiveClusters(clusters, stream) > 0);
            }
            assertThrows(NullPointerException.class, () -> add.maxActiveClusters(null, stream));
            assertThrows(NullPointerException.class, () -> add.maxPotentialClusterSize(clusters, null));
        }
    }

    @Test
    void configurationsAreValues() {
        LaunchConfig config = new LaunchConfig(new Dimensions(4), new Dimensions(2), new Dimensions(32))
                .withShmemSize(64).withPriority(-1);
        assertEquals(new Dimensions(2), config.cluster());
        assertEquals(config, config.withPriority(-1));
        assertThrows(IllegalArgumentException.class,
                () -> new AccessPolicyWindow(0, 0, 1, AccessProperty.NORMAL, AccessProperty.NORMAL));
    }

    @Test
    void aGridHasAThreadForEachElement() {
        assertEquals(new LaunchConfig(4, 256), LaunchConfig.forNumElements(1024, 256));
        assertEquals(new LaunchConfig(5, 256), LaunchConfig.forNumElements(1025, 256));
        assertEquals(new LaunchConfig(1, 256), LaunchConfig.forNumElements(0, 256));
        assertThrows(IllegalArgumentException.class, () -> LaunchConfig.forNumElements(-1, 256));
        assertThrows(IllegalArgumentException.class, () -> LaunchConfig.forNumElements(1, 0));
        assertThrows(IllegalArgumentException.class, () -> LaunchConfig.forNumElements(Long.MAX_VALUE, 1));
    }
}
