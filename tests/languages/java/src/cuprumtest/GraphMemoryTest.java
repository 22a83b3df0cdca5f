package cuprumtest;

import static io.cuprum.bindings.Driver.cuGraphDestroy;
import static io.cuprum.bindings.Driver.cuGraphExecDestroy;
import static io.cuprum.bindings.Driver.cuGraphInstantiate;
import static io.cuprum.bindings.Driver.cuGraphLaunch;
import static io.cuprum.bindings.Driver.cuStreamBeginCapture;
import static io.cuprum.bindings.Driver.cuStreamEndCapture;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.DriverException;
import io.cuprum.GraphMemoryAttribute;
import io.cuprum.GraphMemoryResource;
import io.cuprum.InvalidStateException;
import io.cuprum.Stream;
import io.cuprum.bindings.Driver.CUresult;
import io.cuprum.bindings.Driver.CUstreamCaptureMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory that graphs allocate. Other code begins and ends captures: here the test does. */
@ExtendWith(NoLeaks.class)
class GraphMemoryTest {
    private final Device device = new Device(0);

    private static void ok(CUresult result) {
        assertSame(CUresult.CUDA_SUCCESS, result);
    }

    @Test
    void aGraphAllocatesInEachLaunch() {
        device.setCurrent();    // the driver makes graphs in the current context
        try (GraphMemoryResource resource = new GraphMemoryResource(device); Stream stream = device.createStream();
                Buffer result = device.allocate(4)) {
            resource.trim();
            long[] graph = new long[1];
            long[] executable = new long[1];
            ok(cuStreamBeginCapture(stream.handle(), CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
            try (Buffer buffer = resource.allocate(4, stream)) {
                assertSame(resource, buffer.memoryResource());
                buffer.fill(7, 1, stream);
                result.copyFrom(buffer, stream);
            }
            ok(cuStreamEndCapture(stream.handle(), graph));
            ok(cuGraphInstantiate(executable, graph[0], 0));
            ok(cuGraphDestroy(graph[0]));
            ok(cuGraphLaunch(executable[0], stream.handle()));
            ok(cuGraphLaunch(executable[0], stream.handle()));
            stream.sync();
            byte[] back = new byte[4];
            result.copyTo(back);
            assertArrayEquals(new byte[] {7, 7, 7, 7}, back);
            assertTrue(resource.attribute(GraphMemoryAttribute.RESERVED_MEM_HIGH) > 0);
            ok(cuGraphExecDestroy(executable[0]));
            resource.trim();
            assertEquals(0, resource.attribute(GraphMemoryAttribute.RESERVED_MEM_CURRENT));
            resource.setAttribute(GraphMemoryAttribute.RESERVED_MEM_HIGH, 0);
            assertEquals(0, resource.attribute(GraphMemoryAttribute.RESERVED_MEM_HIGH));
            assertThrows(DriverException.class,
                    () -> resource.setAttribute(GraphMemoryAttribute.USED_MEM_CURRENT, 0));
        }
    }

    @Test
    void itNeedsACapture() {
        try (GraphMemoryResource resource = new GraphMemoryResource(device); Stream stream = device.createStream()) {
            CuprumException error = assertThrows(InvalidStateException.class, () -> resource.allocate(16, stream));
            assertTrue(error.getMessage().contains("not captured into a graph"), error.getMessage());
        }
    }
}
