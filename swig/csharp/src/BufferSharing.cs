using System;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

public partial class Buffer {
    /// <summary>Opens memory that another process shares, freed in the order of a stream. Dispose of it, and let that work
    /// be done, before the other process frees it. No stream is ordered after the other process's work.</summary>
    /// <param name="resource">The pool of that process, from
    /// <see cref="DeviceMemoryResource.FromAllocationHandle"/> or
    /// <see cref="PinnedMemoryResource.FromAllocationHandle"/>.</param>
    /// <param name="ipcHandle">What <see cref="IpcHandle"/> gave there.</param>
    /// <param name="size">The size in bytes, as there.</param>
    /// <param name="stream">The stream in which it is freed.</param>
    /// <exception cref="InvalidArgumentException">The pool is not another process's, or there are fewer
    /// bytes.</exception>
    public static Buffer FromIpcHandle(PooledMemoryResource resource, byte[] ipcHandle, ulong size, Stream stream) {
        const string operation = Operations.BufferFromIpcHandle;
        GCHandle pin = GCHandle.Alloc(Require.NotNull(ipcHandle, nameof(ipcHandle)), GCHandleType.Pinned);
        try {
            IntPtr buffer;
            CuprumNative.cuprum_buffer_from_ipc_handle(
                out buffer, Require.NotNull(resource, nameof(resource)).Use(operation), pin.AddrOfPinnedObject(),
                (ulong)ipcHandle.Length, size, Require.NotNull(stream, nameof(stream)).Use(operation));
            return new Buffer(buffer, resource);
        } finally {
            pin.Free();
        }
    }

    /// <summary>What another process opens the memory with, which has opened its pool already; the size goes with it. 64
    /// bytes.</summary>
    /// <exception cref="InvalidArgumentException">The memory is not that of a pool that can be shared.</exception>
    public byte[] IpcHandle() {
        IntPtr bytes;
        ulong size;
        CuprumNative.cuprum_buffer_ipc_handle(out bytes, out size, Use(Operations.BufferIpcHandle));
        var handle = new byte[size];
        Marshal.Copy(bytes, handle, 0, handle.Length);
        return handle;
    }
}

}
