using System;
using Cuprum.Bindings;
using NUnit.Framework;
using static Cuprum.Bindings.Driver;

/// <summary>Where streams stop until it is opened, in the context that is current.</summary>
internal sealed class Gate : IDisposable {
    private readonly ulong value;

    public Gate() {
        Ok(cuMemAlloc(out value, 4));
        Shut();
    }

    public void Stop(IntPtr stream) {
        Ok(cuStreamWaitValue32(stream, value, 1, (uint)CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_EQ));
    }

    public void Open() {
        Ok(cuMemsetD32(value, 1, 1));
    }

    public void Shut() {
        Ok(cuMemsetD32(value, 0, 1));
        // A fill returns before it is done, and nonblocking streams do not wait for it.
        Ok(cuStreamSynchronize(IntPtr.Zero));
    }

    public void Dispose() {
        Ok(cuMemFree(value));
    }

    private static void Ok(CUresult status) {
        Assert.AreEqual(CUresult.CUDA_SUCCESS, status);
    }
}
