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

/// <summary>What work runs in: a device's primary context, or a green one, which has a part of its multiprocessors.</summary>
/// <remarks>A green context that was created lives as long as its last <c>Context</c> or stream.</remarks>
public sealed partial class Context : IDisposable, IEquatable<Context> {
    private readonly NativeHandle handle;

    internal Context(IntPtr handle) {
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_context);
    }

    internal static Context Create(Device device, IEnumerable<SMResource> resources) {
        byte[] together = resources.SelectMany(each => each.Bytes).ToArray();
        GCHandle pin = GCHandle.Alloc(together, GCHandleType.Pinned);
        try {
            IntPtr context;
            CuprumNative.cuprum_context_create(out context, device.DeviceId, pin.AddrOfPinnedObject(),
                                               (ulong)together.Length);
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
