using System.Text;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Operators that were compiled elsewhere and are linked to the algorithm.</summary>
[TestFixture]
public class CompiledOperatorTest {
    public struct Scale {
        public int Factor;
    }

    // int twice(int a), and void scaled(void* state, void* a, void* result) with a state of one int, as a compiler writes
    // them; a function that calls one which is elsewhere.
    private const string functions = @"
.version 8.0
.target sm_75
.address_size 64
.visible .func (.param .b32 result) twice(.param .b32 a) {
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [a];
    shl.b32 %r2, %r1, 1;
    st.param.b32 [result], %r2;
    ret;
}
.visible .func scaled(.param .b64 state, .param .b64 a, .param .b64 result) {
    .reg .b32 %r<4>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [state];
    ld.param.u64 %d2, [a];
    ld.param.u64 %d3, [result];
    ld.u32 %r1, [%d1];
    ld.u32 %r2, [%d2];
    mul.lo.s32 %r3, %r1, %r2;
    st.u32 [%d3], %r3;
    ret;
}
";
    private const string caller = @"
.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b32 result) twice(.param .b32 a);
.visible .func (.param .b32 result) fourfold(.param .b32 a) {
    .reg .b32 %r<4>;
    .param .b32 given;
    .param .b32 got;
    ld.param.u32 %r1, [a];
    shl.b32 %r2, %r1, 1;
    st.param.b32 [given], %r2;
    call.uni (got), twice, (given);
    ld.param.b32 %r3, [got];
    st.param.b32 [result], %r3;
    ret;
}
";

    private static ObjectCode Code(string ptx) {
        return ObjectCode.FromBytes(Encoding.ASCII.GetBytes(ptx), CodeType.Ptx, "elsewhere");
    }

    private static int[] Transformed(Operator op, Operator ofTheCall = null) {
        var device = new Device(0);
        var found = new int[3];
        using (Stream stream = device.CreateStream())
        using (Buffer memory = device.Allocate(12))
        using (ElementIterator input = ElementIterator.Of<int>(memory))
        using (var transform = new Transform<int>(device, input, op)) {
            memory.CopyFrom(new[] { 3, -9, 4 });
            transform.Call(stream, input, memory, 3, ofTheCall);
            stream.Sync();
            memory.CopyTo(found);
        }
        return found;
    }

    [Test]
    public void TheyAreLinkedToTheAlgorithm() {
        using (ObjectCode code = Code(functions))
        using (ObjectCode callers = Code(caller))
        using (Operator twice = Operator.Compiled("twice", code, Passing.Values))
        using (Operator incomplete = Operator.Compiled("fourfold", callers, Passing.Values))
        using (Operator fourfold = incomplete.WithCode(code))
        using (Operator scaled = Operator.CompiledWithState("scaled", code, new Scale { Factor = 5 }))
        using (Operator negated = Operator.CompiledWithState("scaled", code, new Scale { Factor = -1 })) {
            Assert.AreEqual("Operator \"twice\"", twice.ToString());
            Assert.AreEqual(new[] { 6, -18, 8 }, Transformed(twice));
            Assert.AreEqual(new[] { 12, -36, 16 }, Transformed(fourfold));
            Assert.AreEqual(new[] { 15, -45, 20 }, Transformed(scaled));
            Assert.AreEqual(new[] { -3, 9, -4 }, Transformed(scaled, negated));
            var missing = Assert.Throws<NvJitLinkException>(() => Transformed(incomplete));
            StringAssert.Contains("operator 'fourfold'", missing.Message);
            Assert.Throws<InvalidArgumentException>(() => Operator.Compiled("1st", code));
            using (var text = new Operator("a + b + 1")) {
                Assert.Throws<InvalidArgumentException>(() => text.WithCode(code));
            }
        }
    }
}
