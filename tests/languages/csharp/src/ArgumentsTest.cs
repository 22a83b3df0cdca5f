using System;
using System.Linq;
using System.Runtime.InteropServices;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

[TestFixture]
public class ArgumentsTest : LeavesNothing {
    private readonly Device device = new Device(0);

    /// <summary>What a kernel of one parameter of that type finds in it, as bytes.</summary>
    private byte[] SeenByKernel(string type, int size, object argument) {
        string source = "extern \"C\" __global__ void see(unsigned char* out, " + type + " value) {"
                        + "  for (int i = 0; i < sizeof value; ++i) out[i] = ((unsigned char*)&value)[i]; }";
        using (Kernel kernel = Fixtures.Kernel(source, "see"))
        using (Stream stream = device.CreateStream())
        using (Buffer seen = device.Allocate(size)) {
            stream.Launch(Fixtures.One, kernel, seen, argument);
            stream.Sync();
            var bytes = new byte[size];
            seen.CopyTo(bytes);
            return bytes;
        }
    }

    [Test]
    public void EachTypeArrivesWithItsWidthAndValue() {
        Assert.AreEqual(new byte[] { 0x80 }, SeenByKernel("unsigned char", 1, (byte)0x80));
        Assert.AreEqual(new byte[] { 0x80 }, SeenByKernel("signed char", 1, sbyte.MinValue));
        Assert.AreEqual(new byte[] { 1 }, SeenByKernel("bool", 1, true));
        Assert.AreEqual(BitConverter.GetBytes((short)-2), SeenByKernel("short", 2, (short)-2));
        Assert.AreEqual(BitConverter.GetBytes((ushort)0x8001), SeenByKernel("unsigned short", 2, (ushort)0x8001));
        Assert.AreEqual(BitConverter.GetBytes(int.MinValue + 1), SeenByKernel("int", 4, int.MinValue + 1));
        Assert.AreEqual(BitConverter.GetBytes(0x80000001u), SeenByKernel("unsigned", 4, 0x80000001u));
        Assert.AreEqual(BitConverter.GetBytes(Fixtures.Wide), SeenByKernel("unsigned long long", 8, Fixtures.Wide));
        Assert.AreEqual(BitConverter.GetBytes(long.MinValue + 1), SeenByKernel("long long", 8, long.MinValue + 1));
        Assert.AreEqual(BitConverter.GetBytes(-1.5f), SeenByKernel("float", 4, -1.5f));
        Assert.AreEqual(BitConverter.GetBytes(0.1), SeenByKernel("double", 8, 0.1));
        Assert.AreEqual(BitConverter.GetBytes(Fixtures.Wide),
                        SeenByKernel("void*", 8, new IntPtr(unchecked((long)Fixtures.Wide))));
        Assert.AreEqual(BitConverter.GetBytes(Fixtures.Wide), SeenByKernel("void*", 8, new UIntPtr(Fixtures.Wide)));
    }

    [Test]
    public void ABufferArrivesAsItsAddress() {
        using (Buffer buffer = device.Allocate(16)) {
            Assert.AreEqual(BitConverter.GetBytes(buffer.Handle), SeenByKernel("void*", 8, buffer));
            Assert.AreEqual(BitConverter.GetBytes(buffer.Handle), SeenByKernel("void*", 8, buffer.Handle));
        }
    }

    [Test]
    public void AWidthIsNeverChangedToFit() {
        foreach (object wrong in new object[] { 1L, 1UL, 1.0, (short)1, (byte)1, true }) {
            var error = Assert.Throws<ArgumentMismatchException>(() => SeenByKernel("int", 4, wrong));
            Fixtures.AssertMentions(error, "argument 1");
        }
    }

    [Test]
    public void AnUnsupportedTypeIsNamedWithItsPosition() {
        foreach (object wrong in new object[] { "text", 'c', 1m, new[] { 1 }, new object(), DateTime.Now }) {
            var error = Assert.Throws<ArgumentException>(() => SeenByKernel("int", 4, wrong));
            Fixtures.AssertMentions(error, "argument 1", wrong.GetType().FullName);
        }
        Fixtures.AssertMentions(Assert.Throws<ArgumentException>(() => SeenByKernel("int*", 8, null)),
                                "argument 1", "null");
        using (Kernel kernel = Fixtures.Kernel("extern \"C\" __global__ void k(int* p) {}", "k"))
        using (Stream stream = device.CreateStream()) {
            Fixtures.AssertMentions(Assert.Throws<ArgumentException>(() => stream.Launch(Fixtures.One, kernel, null)),
                                    "argument 0", "null");
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Mixed {
        public sbyte A;
        public double B;
        public short C;
    }

    private struct Pair {
        public int X, Y;
    }

    private struct WithText {
        public string Text;
    }

    [Test]
    public void AStructArrivesAsItIsLaidOut() {
        const string source = "struct Mixed { char a; double b; short c; };"
                              + "extern \"C\" __global__ void see(double* out, Mixed m, int last) {"
                              + "  out[0] = m.a; out[1] = m.b; out[2] = m.c; out[3] = last; }";
        using (Kernel kernel = Fixtures.Kernel(source, "see"))
        using (Stream stream = device.CreateStream())
        using (Buffer seen = device.Allocate(4 * sizeof(double))) {
            stream.Launch(Fixtures.One, kernel, seen, new Mixed { A = 120, B = 2.25, C = -7 }, 42);
            stream.Sync();
            var result = new double[4];
            seen.CopyTo(result);
            Assert.AreEqual(new[] { 120, 2.25, -7, 42 }, result);
        }
    }

    [Test]
    public void AStructMustHaveTheParametersSize() {
        var error = Assert.Throws<ArgumentMismatchException>(
            () => SeenByKernel("int3", 12, new Pair { X = 1, Y = 2 }));
        Fixtures.AssertMentions(error, "argument 1", "12 bytes", "8 bytes");
    }

    [Test]
    public void AStructWithReferencesIsRefused() {
        var error = Assert.Throws<ArgumentException>(() => SeenByKernel("int", 4, new WithText { Text = "text" }));
        Fixtures.AssertMentions(error, "argument 1", "WithText", "struct of numbers");
    }

    [Test]
    public void AKernelMayHaveManyParameters() {
        const int count = 60;
        string parameters = string.Join(", ", Enumerable.Range(0, count).Select(i => "int p" + i));
        string sum = string.Join(" + ", Enumerable.Range(0, count).Select(i => (i + 1) + " * p" + i));
        string source = "extern \"C\" __global__ void sum(int* out, " + parameters + ") { *out = " + sum + "; }";
        using (Kernel kernel = Fixtures.Kernel(source, "sum"))
        using (Stream stream = device.CreateStream())
        using (Buffer result = device.Allocate(sizeof(int))) {
            object[] arguments = Enumerable.Range(0, count + 1).Select(i => i == 0 ? (object)result : i).ToArray();
            stream.Launch(Fixtures.One, kernel, arguments);
            stream.Sync();
            var back = new int[1];
            result.CopyTo(back);
            Assert.AreEqual(Enumerable.Range(1, count).Sum(i => i * i), back[0]);
        }
    }

    [Test]
    public void AKernelMayHaveNoParameters() {
        using (Kernel kernel = Fixtures.Kernel("extern \"C\" __global__ void k() {}", "k"))
        using (Stream stream = device.CreateStream()) {
            stream.Launch(Fixtures.One, kernel);
            stream.Sync();
        }
    }
}
