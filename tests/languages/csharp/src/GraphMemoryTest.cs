using System;
using Cuprum;
using NUnit.Framework;
using static Cuprum.Bindings.Driver;
using Buffer = Cuprum.Buffer;

/// <summary>Memory that graphs allocate. Other code begins and ends captures: here the test does.</summary>
[TestFixture]
public class GraphMemoryTest : LeavesNothing {
    private readonly Device device = new Device(0);

    private static void Ok(CUresult result) {
        Assert.AreEqual(CUresult.CUDA_SUCCESS, result);
    }

    [Test]
    public void AGraphAllocatesInEachLaunch() {
        device.SetCurrent();    // the driver makes graphs in the current context
        using (var resource = new GraphMemoryResource(device))
        using (Stream stream = device.CreateStream())
        using (Buffer result = device.Allocate(4ul)) {
            resource.Trim();
            var captured = (IntPtr)(long)stream.Handle;
            IntPtr graph, executable;
            Ok(cuStreamBeginCapture(captured, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
            using (Buffer buffer = resource.Allocate(4ul, stream)) {
                Assert.AreSame(resource, buffer.MemoryResource);
                buffer.Fill(7, 1, stream);
                result.CopyFrom(buffer, stream);
            }
            Ok(cuStreamEndCapture(captured, out graph));
            Ok(cuGraphInstantiate(out executable, graph, 0));
            Ok(cuGraphDestroy(graph));
            Ok(cuGraphLaunch(executable, captured));
            Ok(cuGraphLaunch(executable, captured));
            stream.Sync();
            var back = new byte[4];
            result.CopyTo(back);
            CollectionAssert.AreEqual(new byte[] {7, 7, 7, 7}, back);
            Assert.Greater(resource.GetAttribute(GraphMemoryAttribute.ReservedMemHigh), 0ul);
            Ok(cuGraphExecDestroy(executable));
            resource.Trim();
            Assert.AreEqual(0ul, resource.GetAttribute(GraphMemoryAttribute.ReservedMemCurrent));
            resource.SetAttribute(GraphMemoryAttribute.ReservedMemHigh, 0);
            Assert.AreEqual(0ul, resource.GetAttribute(GraphMemoryAttribute.ReservedMemHigh));
            Assert.Throws<DriverException>(() => resource.SetAttribute(GraphMemoryAttribute.UsedMemCurrent, 0));
        }
    }

    [Test]
    public void ItNeedsACapture() {
        using (var resource = new GraphMemoryResource(device))
        using (Stream stream = device.CreateStream()) {
            StringAssert.Contains("not captured into a graph",
                                  Assert.Throws<InvalidStateException>(() => resource.Allocate(16ul, stream)).Message);
        }
    }
}
