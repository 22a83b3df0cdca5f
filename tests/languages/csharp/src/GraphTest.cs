using System;
using System.IO;
using System.Linq;
using System.Threading;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;
using Stream = Cuprum.Stream;

/// <summary>Graphs: captured, described node by node, launched, updated.</summary>
[TestFixture]
public class GraphTest : LeavesNothing {
    private const string Source = @"
        extern ""C"" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(
            cudaGraphConditionalHandle, unsigned);
        extern ""C"" __global__ void increment(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }
        extern ""C"" __global__ void count_down(cudaGraphConditionalHandle again, int* x) {
            x[0] -= 1;
            x[1] += 10;
            cudaGraphSetConditional(again, x[0] > 0);
        }";
    private static readonly LaunchConfig one = new LaunchConfig(1, 32);

    private readonly Device device = new Device(0);

    // Everything that a test uses, which goes with it.
    private sealed class Used : IDisposable {
        public readonly ObjectCode Code;
        public readonly Kernel Increment;
        public readonly Stream Stream;
        public readonly Buffer Numbers;

        public Used(Device device) {
            using (var program = new Program(Source)) {
                Code = program.Compile();
            }
            Increment = Code.GetKernel("increment");
            Stream = device.CreateStream();
            Numbers = device.Allocate(16ul);
            Numbers.CopyFrom(new[] {1, 2, 3, 4});
        }

        public int[] Run(Graph graph, Buffer buffer) {
            graph.Launch(Stream);
            Stream.Sync();
            var values = new int[4];
            buffer.CopyTo(values);
            return values;
        }

        public void Dispose() {
            Stream.Sync();
            Numbers.Dispose();
            Stream.Dispose();
            Increment.Dispose();
            Code.Dispose();
        }
    }

    [Test]
    public void WhatIsPutIntoABuilderIsCaptured() {
        using (var used = new Used(device))
        using (GraphBuilder builder = device.CreateGraphBuilder()) {
            Assert.IsFalse(builder.IsBuilding);
            Assert.AreSame(builder, builder.BeginBuilding());
            Assert.IsTrue(builder.IsBuilding);
            builder.Stream.Launch(one, used.Increment, used.Numbers, 4);
            builder.Stream.Launch(one, used.Increment, used.Numbers, 4);
            builder.EndBuilding();
            using (Graph graph = builder.Complete())
            using (GraphDefinition definition = builder.GetGraphDefinition()) {
                Assert.AreEqual(2, definition.Nodes.Count);
                Assert.AreEqual(1, definition.Edges.Count);
                CollectionAssert.AreEqual(new[] {3, 4, 5, 6}, used.Run(graph, used.Numbers));
                CollectionAssert.AreEqual(new[] {5, 6, 7, 8}, used.Run(graph, used.Numbers));
                graph.Upload(used.Stream);
                Assert.AreEqual(device, graph.Device);
            }
            Assert.Throws<InvalidStateException>(() => builder.BeginBuilding());
        }
    }

    [Test]
    public void AStreamMakesABuilderOfItself() {
        using (var used = new Used(device))
        using (GraphBuilder builder = used.Stream.CreateGraphBuilder()) {
            builder.BeginBuilding(GraphBuildMode.ThreadLocal);
            used.Numbers.Fill(0, 4, used.Stream);
            var options = new GraphCompleteOptions { AutoFreeOnLaunch = true, UploadStream = used.Stream };
            using (Graph graph = builder.EndBuilding().Complete(options)) {
                Assert.IsTrue(graph.AutoFreeOnLaunch);
                CollectionAssert.AreEqual(new int[4], used.Run(graph, used.Numbers));
            }
        }
    }

    [Test]
    public void BuildersAreSplitAndJoined() {
        using (var used = new Used(device))
        using (GraphBuilder builder = device.CreateGraphBuilder()) {
            builder.BeginBuilding();
            GraphBuilder other = builder.Split();
            Assert.IsTrue(other.IsJoinRequired);
            other.Stream.Launch(one, used.Increment, used.Numbers, 2);
            builder.Join(other);
            Assert.IsTrue(other.IsClosed);
            using (Graph graph = builder.EndBuilding().Complete()) {
                CollectionAssert.AreEqual(new[] {2, 3, 3, 4}, used.Run(graph, used.Numbers));
            }
        }
        using (GraphBuilder builder = device.CreateGraphBuilder())
        using (GraphBuilder other = builder.BeginBuilding().Split()) {
            other.Callback(() => {});
            var error = Assert.Throws<InvalidStateException>(() => builder.EndBuilding());
            StringAssert.Contains("join all builders that were split off", error.Message);
        }
    }

    [Test]
    public void FunctionsAreCalledInEveryLaunch() {
        int calls = 0;
        using (Stream stream = device.CreateStream())
        using (GraphBuilder builder = device.CreateGraphBuilder()) {
            builder.BeginBuilding().Callback(() => Interlocked.Increment(ref calls));
            using (Graph graph = builder.EndBuilding().Complete()) {
                for (int i = 0; i < 3; ++i) {
                    graph.Launch(stream);
                }
                stream.Sync();
            }
        }
        Assert.AreEqual(3, calls);
    }

    [Test]
    public void NodesAreAddedAfterOthers() {
        int calls = 0;
        using (var used = new Used(device))
        using (var definition = new GraphDefinition(device))
        using (var child = new GraphDefinition(device))
        using (Buffer copy = device.Allocate(16ul))
        using (Event recordedEvent = device.CreateEvent()) {
            child.Launch(one, used.Increment, used.Numbers, 4);
            GraphNode launched = definition.Launch(one, used.Increment, used.Numbers, 4);
            GraphNode filled = launched.Memset(used.Numbers, 7, 4, 2);
            GraphNode copied = filled.Memcpy(copy, used.Numbers, 16);
            GraphNode called = copied.Callback(() => Interlocked.Increment(ref calls));
            GraphNode recorded = called.Record(recordedEvent);
            GraphNode embedded = recorded.Embed(child);
            GraphNode allocated = embedded.Allocate(16);
            GraphNode freed = allocated.Deallocate(allocated.Address);
            CollectionAssert.AreEquivalent(
                new[] {launched, filled, copied, called, recorded, embedded, allocated, freed}, definition.Nodes);
            Assert.AreEqual(7, definition.Edges.Count);
            Assert.AreEqual(GraphNodeType.Kernel, launched.Type);
            Assert.AreEqual(32, launched.Config.Block.X);
            using (Kernel kernel = launched.Kernel) {
                Assert.AreEqual(used.Increment.Handle, kernel.Handle);
            }
            Assert.AreEqual(7u, filled.FillValue);
            Assert.AreEqual(2ul, filled.Width);
            Assert.AreEqual(copy.Handle, copied.Destination);
            Assert.AreEqual(used.Numbers.Handle, copied.Source);
            Assert.AreEqual(16ul, copied.Size);
            Assert.AreEqual(recordedEvent.Handle, recorded.Event);
            Assert.AreEqual(GraphMemoryType.Device, allocated.MemoryType);
            Assert.AreEqual(0, allocated.PeerAccess.Count);
            Assert.AreEqual(allocated.Address, freed.Address);
            CollectionAssert.AreEqual(new[] {launched}, filled.Predecessors);
            CollectionAssert.AreEqual(new[] {copied}, filled.Successors);
            using (GraphDefinition part = embedded.GetChildGraph()) {
                Assert.AreEqual(1, part.Nodes.Count);
                Assert.Throws<InvalidStateException>(() => part.Instantiate());
            }
            using (Graph graph = definition.Instantiate()) {
                CollectionAssert.AreEqual(new[] {7, 7, 4, 5}, used.Run(graph, copy));
            }
            Assert.AreEqual(1, calls);
            Assert.Throws<InvalidArgumentException>(() => definition.AddDependency(freed, launched));
            Assert.Throws<UnsupportedException>(() => definition.RemoveDependency(launched, filled));
            string picture = Path.GetTempFileName();
            definition.DebugDotPrint(picture, GraphDebugPrint.Verbose);
            StringAssert.Contains("digraph", File.ReadAllText(picture));
            File.Delete(picture);
        }
    }

    [Test]
    public void DependenciesAndNodesAreRemoved()
    {
        using (GraphDefinition definition = new GraphDefinition(device))
        {
            GraphNode first = definition.Empty();
            GraphNode second = first.Empty();
            definition.RemoveDependency(first, second);
            Assert.AreEqual(0, definition.Edges.Count);
            definition.AddDependency(first, second);
            Assert.AreEqual(1, definition.Edges.Count);
            Assert.IsTrue(second.IsValid);
            second.Destroy();
            Assert.IsFalse(second.IsValid);
            CollectionAssert.AreEqual(new[] {first}, definition.Nodes);
        }
    }

    [Test]
    public void ConditionsDecide() {
        using (var used = new Used(device))
        using (var definition = new GraphDefinition(device)) {
            GraphNode choice = definition.SwitchCase(definition.CreateCondition(1), 2);
            // One after the other: the kernels of all three change the same numbers.
            GraphNode either = choice.IfElse(definition.CreateCondition(0));
            GraphNode then = either.IfThen(definition.CreateCondition(1));
            Assert.AreEqual(GraphConditionalType.Switch, choice.ConditionalType);
            var bodies = choice.GetBodies().Concat(either.GetBodies()).Concat(then.GetBodies()).ToList();
            foreach (int chosen in new[] {1, 3, 4}) {
                bodies[chosen].Launch(one, used.Increment, used.Numbers, 4);
            }
            bodies.ForEach(body => body.Dispose());
            using (Graph graph = definition.Instantiate()) {
                CollectionAssert.AreEqual(new[] {4, 5, 6, 7}, used.Run(graph, used.Numbers));
            }
        }
    }

    [Test]
    public void AKernelEndsALoop() {
        using (var used = new Used(device))
        using (Kernel countDown = used.Code.GetKernel("count_down"))
        using (GraphBuilder builder = device.CreateGraphBuilder()) {
            used.Numbers.CopyFrom(new[] {3, 0, 0, 0});
            builder.BeginBuilding();
            GraphCondition again = builder.CreateCondition(1);
            using (GraphBuilder body = builder.WhileLoop(again)) {
                body.BeginBuilding().Stream.Launch(new LaunchConfig(1, 1), countDown, again.Handle, used.Numbers);
                body.EndBuilding();
            }
            using (Graph graph = builder.EndBuilding().Complete()) {
                CollectionAssert.AreEqual(new[] {0, 30, 0, 0}, used.Run(graph, used.Numbers));
            }
        }
    }

    [Test]
    public void GraphsAreUpdated() {
        int calls = 0;
        using (var used = new Used(device))
        using (var definition = new GraphDefinition(device))
        using (var source = new GraphDefinition(device))
        using (Buffer copy = device.Allocate(16ul)) {
            GraphNode launched = definition.Launch(one, used.Increment, used.Numbers, 4);
            GraphNode filled = launched.Memset(copy, 0, 4, 4);
            GraphNode copied = filled.Memcpy(copy, used.Numbers, 4);
            GraphNode called = copied.Callback(() => Interlocked.Increment(ref calls));
            using (Graph graph = definition.Instantiate()) {
                graph.UpdateKernel(launched, one, used.Increment, used.Numbers, 1);
                graph.UpdateMemset(filled, copy, 9, 4, 4);
                graph.UpdateMemcpy(copied, copy, used.Numbers, 8);
                graph.UpdateCallback(called, () => Interlocked.Add(ref calls, 10));
                CollectionAssert.AreEqual(new[] {2, 2, 9, 9}, used.Run(graph, copy));
                Assert.AreEqual(10, calls);
                graph.SetEnabled(launched, false);
                Assert.IsFalse(graph.IsEnabled(launched));
                CollectionAssert.AreEqual(new[] {2, 2, 3, 4}, used.Run(graph, used.Numbers));
                graph.Update(definition);
                source.Empty();
                var error = Assert.Throws<DriverException>(() => graph.Update(source));
                StringAssert.Contains("the nodes or edges differ", error.Message);
            }
            launched.UpdateKernel(one, used.Increment, used.Numbers, 2);
            launched.UpdateConfig(new LaunchConfig(1, 16));
            filled.UpdateMemset(copy, 5, 4, 4);
            copied.UpdateMemcpy(copy, used.Numbers, 4);
            called.UpdateCallback(() => Interlocked.Add(ref calls, 100));
            Assert.AreEqual(16, launched.Config.Block.X);
            using (Graph graph = definition.Instantiate()) {
                CollectionAssert.AreEqual(new[] {3, 5, 5, 5}, used.Run(graph, copy));
            }
            Assert.AreEqual(120, calls);
        }
    }

    [Test]
    public void NodesWaitForWordsAndWriteThem() {
        using (var used = new Used(device))
        using (Buffer words = device.Allocate(16ul))
        using (var definition = new GraphDefinition(device)) {
            words.CopyFrom(new[] {7, 0, 0, 0});
            GraphNode waits = definition.WaitValue32(words, 0, 7, WaitCondition.Equal);
            GraphNode writes = waits.WriteValue64(words, 8, 0x500000006UL);
            Assert.AreEqual(GraphNodeType.BatchMemoryOperation, waits.Type);
            Assert.AreEqual(WaitCondition.Equal, waits.WaitCondition);
            Assert.AreEqual(7ul, waits.WordValue);
            Assert.AreEqual(4, waits.ElementSize);
            Assert.AreEqual(words.Handle, waits.Address);
            Assert.IsNull(writes.WaitCondition);
            Assert.AreEqual(0x500000006UL, writes.WordValue);
            using (Graph graph = definition.Instantiate()) {
                CollectionAssert.AreEqual(new[] {7, 0, 6, 5}, used.Run(graph, words));
                graph.UpdateMemoryOperation(writes, words, 8, 1, 8, null);
                CollectionAssert.AreEqual(new[] {7, 0, 1, 0}, used.Run(graph, words));
            }
            writes.UpdateMemoryOperation(words, 4, 9, 4, null);
            using (Graph graph = definition.Instantiate()) {
                CollectionAssert.AreEqual(new[] {7, 9, 1, 0}, used.Run(graph, words));
            }
            Assert.Throws<InvalidArgumentException>(() => definition.WriteValue32(words, 13, 1));
            if (!device.IsSimulator) return;  // a GPU's driver takes any number for a semaphore
            Assert.Throws<DriverException>(() => definition.SignalExternalSemaphore(16, 1));
            Assert.Throws<DriverException>(() => definition.WaitExternalSemaphore(16, 1));
        }
    }

    [Test]
    public void AChildIsReplaced() {
        using (var used = new Used(device))
        using (var once = new GraphDefinition(device))
        using (var twice = new GraphDefinition(device))
        using (var definition = new GraphDefinition(device)) {
            once.Launch(one, used.Increment, used.Numbers, 4);
            twice.Launch(one, used.Increment, used.Numbers, 4).Launch(one, used.Increment, used.Numbers, 4);
            GraphNode node = definition.Embed(once);
            node.UpdateChildGraph(twice);
            using (Graph graph = definition.Instantiate()) {
                CollectionAssert.AreEqual(new[] {3, 4, 5, 6}, used.Run(graph, used.Numbers));
            }
            Assert.Throws<InvalidArgumentException>(() => node.UpdateChildGraph(definition));
        }
    }

    [Test]
    public void ACaptureKeepsWhatItUsesAndSaysHowItIsLaunched() {
        var given = new LaunchConfig(6, 32, 16, true, priority: -1);
        using (var used = new Used(device))
        using (GraphBuilder builder = device.CreateGraphBuilder()) {
            builder.BeginBuilding();
            using (Buffer temporary = device.Allocate(16ul))
            using (Kernel kernel = used.Code.GetKernel("increment")) {
                temporary.CopyFrom(new[] {5, 6, 7, 8});
                builder.Stream.Launch(given, kernel, temporary, 0);
                used.Numbers.CopyFrom(temporary, builder.Stream);
            }
            builder.EndBuilding();
            using (GraphDefinition definition = builder.GetGraphDefinition())
            using (Graph graph = builder.Complete()) {
                GraphNode launched = definition.Nodes.First(node => node.Type == GraphNodeType.Kernel);
                Assert.AreEqual(6, launched.Config.Grid.X);
                Assert.AreEqual(16, launched.Config.ShmemSize);
                Assert.IsTrue(launched.Config.IsCooperative);
                Assert.AreEqual(-1, launched.Config.Priority);
                Assert.IsNull(launched.Config.Cluster);
                CollectionAssert.AreEqual(new[] {5, 6, 7, 8}, used.Run(graph, used.Numbers));
            }
        }
    }

    [Test]
    public void AGraphKeepsItsBuffers() {
        using (var used = new Used(device))
        using (Buffer copy = device.Allocate(16ul))
        using (var definition = new GraphDefinition(device)) {
            using (Buffer temporary = device.Allocate(16ul)) {
                temporary.CopyFrom(new[] {5, 6, 7, 8});
                definition.Memcpy(copy, temporary, 16);
            }
            using (Graph graph = definition.Instantiate()) {
                CollectionAssert.AreEqual(new[] {5, 6, 7, 8}, used.Run(graph, copy));
            }
            Assert.AreEqual(0, definition.Nodes.Count(node => node.Type == GraphNodeType.Host));
        }
    }
}
