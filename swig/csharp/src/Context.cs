using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using Cuprum.Native;

namespace Cuprum {

/// <summary>What a split of multiprocessors has made.</summary>
public sealed class SMResourceSplit {
    internal SMResourceSplit(IReadOnlyList<SMResource> groups, SMResource remainder) {
        Groups = groups;
        Remainder = remainder;
    }

    /// <summary>They have no multiprocessor in common.</summary>
    public IReadOnlyList<SMResource> Groups { get; }

    /// <summary>What is left; may have no multiprocessor.</summary>
    public SMResource Remainder { get; }
}

/// <summary>A part of a device's multiprocessors, or all of them. A value.</summary>
public sealed class SMResource {
    private readonly int deviceId;

    private SMResource(byte[] bytes) {
        Bytes = bytes;
        GCHandle pin = GCHandle.Alloc(bytes, GCHandleType.Pinned);
        try {
            int count, least, alignment;
            CuprumNative.cuprum_sm_resource_info(out deviceId, out count, out least, out alignment,
                                                 pin.AddrOfPinnedObject(), (ulong)bytes.Length);
            SMCount = count;
            MinPartitionSize = least;
            CoscheduledAlignment = alignment;
        } finally {
            pin.Free();
        }
    }

    internal byte[] Bytes { get; }

    /// <summary>The device that it is a part of.</summary>
    public Device Device { get { return new Device(deviceId); } }

    /// <summary>Multiprocessors.</summary>
    public int SMCount { get; }

    /// <summary>The fewest multiprocessors that a part can have; 0 for what a split has made.</summary>
    public int MinPartitionSize { get; }

    /// <summary>What the number of each part is a multiple of: so many run a cluster together. 0 for what a split has made.
    /// </summary>
    public int CoscheduledAlignment { get; }

    /// <summary>Splits into groups of at least <paramref name="count"/> multiprocessors.</summary>
    /// <param name="count">Multiprocessors in each group, which may get more; 0: as few as there can be.</param>
    /// <param name="groups">How many.</param>
    /// <param name="backfill">Finer counts, of multiprocessors that need not be able to run one cluster together.</param>
    /// <exception cref="InvalidArgumentException">There are not enough for all groups.</exception>
    /// <exception cref="DriverException">A split has made it: it is split again only as the resource of a context.
    /// </exception>
    public SMResourceSplit Split(int count, int groups = 1, bool backfill = false) {
        GCHandle pin = GCHandle.Alloc(Bytes, GCHandleType.Pinned);
        try {
            IntPtr all;
            ulong size;
            CuprumNative.cuprum_sm_resource_split(out all, out size, pin.AddrOfPinnedObject(), (ulong)Bytes.Length, count,
                                                  groups, backfill ? 1 : 0);
            // Copied before the next call takes them back.
            byte[] copy = Copy(all, size);
            var parts = new List<SMResource>();
            for (int begin = 0; begin < copy.Length; begin += CuprumNative.CUPRUM_SM_RESOURCE_SIZE) {
                parts.Add(new SMResource(copy.Skip(begin).Take(CuprumNative.CUPRUM_SM_RESOURCE_SIZE).ToArray()));
            }
            return new SMResourceSplit(parts.GetRange(0, parts.Count - 1).AsReadOnly(), parts[parts.Count - 1]);
        } finally {
            pin.Free();
        }
    }

    /// <summary>"16 multiprocessors of device 0"</summary>
    public override string ToString() {
        return SMCount + " multiprocessors of device " + deviceId;
    }

    internal static SMResource Of(Device device) {
        IntPtr bytes;
        ulong size;
        CuprumNative.cuprum_sm_resource_of_device(out bytes, out size, device.DeviceId);
        return new SMResource(Copy(bytes, size));
    }

    internal static SMResource Of(NativeHandle context) {
        IntPtr bytes;
        ulong size;
        CuprumNative.cuprum_sm_resource_of_context(out bytes, out size, context);
        return new SMResource(Copy(bytes, size));
    }

    private static byte[] Copy(IntPtr bytes, ulong size) {
        var copy = new byte[checked((int)size)];
        Marshal.Copy(bytes, copy, 0, copy.Length);
        return copy;
    }
}

/// <summary>Which contexts share the hardware queues that streams put their work into.</summary>
public enum WorkqueueSharingScope {
    /// <summary>All contexts share all of them.</summary>
    DeviceContext = CuprumNative.CUPRUM_WORKQUEUE_DEVICE_CONTEXT,
    /// <summary>Where possible, no other balanced green context uses the same.</summary>
    GreenContextBalanced = CuprumNative.CUPRUM_WORKQUEUE_GREEN_CONTEXT_BALANCED
}

/// <summary>How the streams of a green context get at a device's queues, so that work of one need not wait for that of
/// another.</summary>
public sealed class WorkqueueResource {
    private int concurrencyLimit;

    internal WorkqueueResource(Device device, int sharingScope, int concurrencyLimit) {
        Device = device;
        SharingScope = (WorkqueueSharingScope)sharingScope;
        this.concurrencyLimit = concurrencyLimit;
    }

    /// <summary>The device that the queues belong to.</summary>
    public Device Device { get; }

    /// <summary>Which contexts share them. A change holds for the contexts that are made with it from then on.</summary>
    public WorkqueueSharingScope SharingScope { get; set; }

    /// <summary>How many streams are expected to be at work at once, at most; at least 1. A change holds for the contexts
    /// that are made with it from then on.</summary>
    public int ConcurrencyLimit {
        get { return concurrencyLimit; }
        set {
            if (value < 1) {
                throw new ArgumentOutOfRangeException(nameof(value), "ConcurrencyLimit must be at least 1, not " + value);
            }
            concurrencyLimit = value;
        }
    }

    internal static WorkqueueResource Of(Device device) {
        int scope, limit;
        CuprumNative.cuprum_workqueue_of_device(out scope, out limit, device.DeviceId);
        return new WorkqueueResource(device, scope, limit);
    }

    internal static WorkqueueResource Of(Device device, NativeHandle context) {
        int scope, limit;
        CuprumNative.cuprum_workqueue_of_context(out scope, out limit, context);
        return new WorkqueueResource(device, scope, limit);
    }
}

/// <summary>What work runs in: a device's primary context, or a green one, which has a part of its multiprocessors.</summary>
/// <remarks>A green context that was created lives as long as its last <c>Context</c> or stream.</remarks>
public sealed partial class Context : IDisposable, IEquatable<Context> {
    private readonly NativeHandle handle;

    internal Context(IntPtr handle) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_context);
    }

    internal static Context Create(Device device, IEnumerable<SMResource> resources, WorkqueueResource workqueue = null) {
        byte[] together = resources.SelectMany(each => each.Bytes).ToArray();
        GCHandle pin = GCHandle.Alloc(together, GCHandleType.Pinned);
        try {
            IntPtr context;
            if (workqueue == null) {
                CuprumNative.cuprum_context_create(out context, device.DeviceId, pin.AddrOfPinnedObject(),
                                                   (ulong)together.Length);
            } else {
                CuprumNative.cuprum_context_create_with_workqueue(
                    out context, device.DeviceId, pin.AddrOfPinnedObject(), (ulong)together.Length,
                    (int)workqueue.SharingScope, workqueue.ConcurrencyLimit);
            }
            return new Context(context);
        } finally {
            pin.Free();
        }
    }

    /// <summary>The context that is current on this thread, whoever made it so; null where none is.</summary>
    public static Context Current {
        get {
            IntPtr context;
            CuprumNative.cuprum_context_current(out context);
            return context == IntPtr.Zero ? null : new Context(context);
        }
    }

    /// <summary>The multiprocessors that its work may use.</summary>
    public SMResource SMResource { get { return SMResource.Of(Use(Operations.SmResourceOfContext)); } }

    /// <summary>How its streams get at the device's queues.</summary>
    /// <exception cref="UnsupportedException">The driver is older than CUDA 13.1.</exception>
    public WorkqueueResource WorkqueueResource {
        get { return WorkqueueResource.Of(Device, Use(Operations.WorkqueueOfContext)); }
    }

    /// <summary>A stream whose work uses the multiprocessors of this context, which the stream keeps; the caller disposes of
    /// it.</summary>
    /// <param name="options">How to make it; null for the defaults.</param>
    /// <exception cref="InvalidArgumentException">A green context is asked for a stream that blocks.</exception>
    public Stream CreateStream(StreamOptions options = null) {
        options = options ?? new StreamOptions();
        IntPtr stream;
        CuprumNative.cuprum_context_create_stream(out stream, Use(Operations.ContextCreateStream),
                                                  options.Nonblocking ? 0 : 1, options.Priority);
        return new Stream(stream);
    }

    /// <summary>Whether it is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>Idempotent.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Whether it is the same context of the driver.</summary>
    public bool Equals(Context other) {
        return ReferenceEquals(this, other)
            || (!ReferenceEquals(other, null) && !IsClosed && !other.IsClosed && other.Handle == Handle);
    }

    /// <summary>Whether it is the same context of the driver.</summary>
    public override bool Equals(object other) {
        return Equals(other as Context);
    }

    /// <summary>Equal for the same context of the driver.</summary>
    public override int GetHashCode() {
        return IsClosed ? 0 : Handle.GetHashCode();
    }

    /// <summary>Names the context.</summary>
    public override string ToString() {
        return "Context " + handle.Value.ToString("x");
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
