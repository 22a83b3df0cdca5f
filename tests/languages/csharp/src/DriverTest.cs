using System;
using System.Text;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.Driver;

/// <summary>
/// The device's primary context, current in each test, and what tests of the driver's functions share.
/// </summary>
public abstract unsafe class DriverTest {
    /// <summary>Adds `amount` and the variable `offset` to each of `count` numbers.</summary>
    internal const string Add = @"
.version 7.0
.target sm_70
.address_size 64
.visible .const .align 4 .u32 offset;
.visible .entry add(.param .u64 numbers, .param .u32 amount, .param .u32 count) {
    .reg .pred %outside;
    .reg .b32 %r<8>;
    .reg .b64 %address, %index;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    ld.param.u32 %r4, [count];
    setp.ge.u32 %outside, %r1, %r4;
    @%outside ret;
    ld.param.u64 %address, [numbers];
    cvta.to.global.u64 %address, %address;
    mul.wide.u32 %index, %r1, 4;
    add.u64 %address, %address, %index;
    ld.param.u32 %r5, [amount];
    ld.const.u32 %r6, [offset];
    ld.global.u32 %r7, [%address];
    add.u32 %r7, %r7, %r5;
    add.u32 %r7, %r7, %r6;
    st.global.u32 [%address], %r7;
    ret;
}
";
    protected const uint NonBlocking = 1;

    protected IntPtr Context;

    [SetUp]
    public void RetainContext() {
        Ok(cuInit(0));
        Ok(cuDevicePrimaryCtxRetain(out Context, 0));
        Ok(cuCtxSetCurrent(Context));
    }

    [TearDown]
    public void ReleaseContext() {
        Ok(cuCtxSetCurrent(IntPtr.Zero));
        Ok(cuDevicePrimaryCtxRelease(0));
    }

    protected static void Ok(CUresult status) {
        Assert.AreEqual(CUresult.CUDA_SUCCESS, status);
    }

    /// <summary>A text with its end, as C has it.</summary>
    internal static byte[] Ascii(string text) {
        return Encoding.ASCII.GetBytes(text + "\0");
    }

    protected static ulong Allocated(ulong bytes) {
        ulong memory;
        Ok(cuMemAlloc(out memory, bytes));
        return memory;
    }

    protected static int[] Copied(ulong memory, int count) {
        int[] back = new int[count];
        fixed (int* host = back) {
            Ok(cuMemcpyDtoH((IntPtr)host, memory, (ulong)count * 4));
        }
        return back;
    }

    protected static IntPtr NewStream() {
        IntPtr stream;
        Ok(cuStreamCreate(out stream, NonBlocking));
        return stream;
    }

    protected static IntPtr NewEvent() {
        IntPtr made;
        Ok(cuEventCreate(out made, 0));
        return made;
    }
}
