using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Cuprum.Native {

/// <summary>Calls of allocators, from native/user_memory_resource.hpp.</summary>
internal static class UserMemory {
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int AllocateFunction(ulong allocator, ulong size, int device, ulong stream, out ulong address);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate void DeallocateFunction(ulong allocator, ulong address, ulong size, int device, ulong stream);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate void ReleaseFunction(ulong allocator);

    // Kept for good: native code has their addresses.
    private static readonly AllocateFunction allocate = Allocate;
    private static readonly DeallocateFunction deallocate = Deallocate;
    private static readonly ReleaseFunction release = Release;

    // What an allocator has thrown on this thread, until the call fails that has asked it.
    [ThreadStatic]
    private static ExceptionDispatchInfo thrown;

    /// <summary>The handle of a resource of an allocator's.</summary>
    public static IntPtr Create(IMemoryAllocator allocator, int kind, int device) {
        GCHandle kept = GCHandle.Alloc(allocator);
        try {
            IntPtr resource;
            CuprumNative.cuprum_csharp_create_user_memory_resource(
                out resource, kind, device, AddressOf(allocate), AddressOf(deallocate), AddressOf(release),
                Number(kept));
            return resource;
        } catch {
            kept.Free();
            throw;
        }
    }

    /// <summary>What <see cref="Create"/> was given; null for other resources.</summary>
    public static IMemoryAllocator AllocatorOf(IntPtr resource) {
        ulong allocator = CuprumNative.cuprum_csharp_user_allocator((ulong)resource.ToInt64());
        return allocator == 0 ? null : Target(allocator);
    }

    /// <summary>Throws what an allocator has thrown on this thread, if one has.</summary>
    public static void ThrowAgain() {
        ExceptionDispatchInfo error = thrown;
        thrown = null;
        if (error != null) {
            error.Throw();
        }
    }

    private static ulong AddressOf(Delegate function) {
        return (ulong)Marshal.GetFunctionPointerForDelegate(function).ToInt64();
    }

    private static ulong Number(GCHandle handle) {
        return (ulong)GCHandle.ToIntPtr(handle).ToInt64();
    }

    private static IMemoryAllocator Target(ulong allocator) {
        return (IMemoryAllocator)GCHandle.FromIntPtr((IntPtr)(long)allocator).Target;
    }

    private static Stream StreamOf(int device, ulong stream) {
        return device < 0 ? null : Stream.FromHandle(new Device(device), stream);
    }

    private static int Allocate(ulong allocator, ulong size, int device, ulong stream, out ulong address) {
        address = 0;
        thrown = null;
        try {
            using (Stream place = StreamOf(device, stream)) {
                address = Target(allocator).Allocate(size, place);
            }
            return (int)Status.Success;
        } catch (Exception error) {
            address = 0;
            thrown = ExceptionDispatchInfo.Capture(error);
            return (int)Status.Internal;
        }
    }

    private static void Deallocate(ulong allocator, ulong address, ulong size, int device, ulong stream) {
        if (Environment.HasShutdownStarted) {
            return;    // memory goes with the process
        }
        try {
            using (Stream place = StreamOf(device, stream)) {
                Target(allocator).Deallocate(address, size, place);
            }
        } catch (Exception error) {
            UserMemoryResource.ReportDeallocateException(error);
        }
    }

    private static void Release(ulong allocator) {
        if (!Environment.HasShutdownStarted) {
            GCHandle.FromIntPtr((IntPtr)(long)allocator).Free();
        }
    }
}

}
