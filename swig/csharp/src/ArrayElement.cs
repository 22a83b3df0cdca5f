using System;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Cuprum {

/// <summary>What a copy must know about the elements of an array.</summary>
internal static class ArrayElement<T> where T : struct {
    /// <summary>0 where the elements cannot be copied as they are in memory.</summary>
    private static readonly ulong size = IsPlain(typeof(T)) ? Measure() : 0;

    /// <summary>The bytes of one element on the device, where a bool has one.</summary>
    public static ulong Size { get { return typeof(T) == typeof(bool) ? 1 : size; } }

    /// <summary>The bytes of all elements.</summary>
    public static ulong SizeOf(T[] array) {
        if (size == 0) {
            throw new ArgumentException(
                "an array of " + typeof(T).FullName + " cannot be copied: only numbers and structs of numbers can");
        }
        return size * (ulong)array.LongLength;
    }

    /// <summary>
    /// Numbers, and structs of nothing else. Not bool and char, which .NET itself does not treat as plain memory.
    /// </summary>
    private static bool IsPlain(Type type) {
        if (type.IsPrimitive) {
            return type != typeof(bool) && type != typeof(char);
        }
        if (type.IsEnum || type.IsPointer) {
            return true;
        }
        if (!type.IsValueType || type.IsAutoLayout) {
            return false;
        }
        foreach (FieldInfo field in
                 type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)) {
            if (!IsPlain(field.FieldType)) {
                return false;
            }
        }
        return true;
    }

    /// <summary>How far apart the elements are in memory, which Marshal.SizeOf does not say.</summary>
    private static ulong Measure() {
        T[] pair = new T[2];
        GCHandle pin = GCHandle.Alloc(pair, GCHandleType.Pinned);
        try {
            return (ulong)(Marshal.UnsafeAddrOfPinnedArrayElement(pair, 1).ToInt64()
                           - Marshal.UnsafeAddrOfPinnedArrayElement(pair, 0).ToInt64());
        } finally {
            pin.Free();
        }
    }
}

}
