using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Cuprum {

/// <summary>cuprum_argument.</summary>
internal struct PackedArgument {
    public int Kind;
    public uint Size;
    /// <summary>For numbers the address of the value, for Buffer its handle.</summary>
    public ulong Value;
}

/// <summary>Packs the arguments of a launch for the C ABI.</summary>
internal static class KernelArguments {
    private const int IntegerBytes = Native.CuprumNative.CUPRUM_ARGUMENT_INT_BYTES;
    private const int FloatBytes = Native.CuprumNative.CUPRUM_ARGUMENT_FLOAT_BYTES;
    private const int BufferHandle = Native.CuprumNative.CUPRUM_ARGUMENT_BUFFER;

    private const int Bytes = Native.CuprumNative.CUPRUM_ARGUMENT_BYTES;

    private static readonly ConcurrentDictionary<Type, uint> structSizes = new ConcurrentDictionary<Type, uint>();

    /// <summary><paramref name="valuesInPlace"/> is the address of <paramref name="values"/>, one for each argument.
    /// Structs are pinned where they are: <paramref name="pins"/>, null without any, are freed after the launch.
    /// </summary>
    public static unsafe PackedArgument[] Pack(object[] arguments, ulong[] values, ulong* valuesInPlace,
                                               ref List<GCHandle> pins) {
        var packed = new PackedArgument[arguments.Length];
        for (int i = 0; i < arguments.Length; ++i) {
            var buffer = arguments[i] as Buffer;
            if (buffer != null) {
                packed[i].Kind = BufferHandle;
                packed[i].Value = buffer.Use("launching a kernel").Value;
                continue;
            }
            ulong image;
            if (IsImage(arguments[i], out image)) {
                values[i] = image;
                packed[i].Kind = IntegerBytes;
                packed[i].Size = sizeof(ulong);
                packed[i].Value = (ulong)(valuesInPlace + i);
                continue;
            }
            var tensorMap = arguments[i] as TensorMapDescriptor;
            uint structSize = tensorMap != null ? (uint)tensorMap.Bytes.Length : SizeOfStruct(arguments[i]);
            if (structSize != 0) {
                object inPlace = tensorMap != null ? tensorMap.Bytes : arguments[i];
                GCHandle pin = GCHandle.Alloc(inPlace, GCHandleType.Pinned);
                pins = pins ?? new List<GCHandle>();
                pins.Add(pin);
                packed[i].Kind = Bytes;
                packed[i].Size = structSize;
                packed[i].Value = unchecked((ulong)pin.AddrOfPinnedObject().ToInt64());
                continue;
            }
            packed[i].Kind = arguments[i] is float || arguments[i] is double ? FloatBytes : IntegerBytes;
            packed[i].Size = Put(arguments[i], ref values[i], i);
            packed[i].Value = (ulong)(valuesInPlace + i);
        }
        return packed;
    }

    /// <summary>Releases what <see cref="Pack"/> pinned.</summary>
    public static void Free(List<GCHandle> pins) {
        if (pins == null) {
            return;
        }
        foreach (GCHandle pin in pins) {
            pin.Free();
        }
    }

    /// <summary>The handle of a texture or surface object.</summary>
    private static bool IsImage(object argument, out ulong image) {
        var texture = argument as TextureObject;
        var surface = argument as SurfaceObject;
        image = texture != null ? texture.Handle : surface != null ? surface.Handle : 0;
        return texture != null || surface != null;
    }

    /// <summary>0 for a type that is not a struct of numbers.</summary>
    private static uint SizeOfStruct(object argument) {
        var value = argument as ValueType;
        if (value == null || value is int || value is float) {
            return 0;
        }
        return structSizes.GetOrAdd(value.GetType(), Measure);
    }

    private static uint Measure(Type type) {
        if (type.IsPrimitive || type.IsEnum || type == typeof(decimal)) {
            return 0;
        }
        PropertyInfo size = typeof(ArrayElement<>).MakeGenericType(type).GetProperty("Size");
        return (uint)(ulong)size.GetValue(null, null);
    }

    /// <summary>The value's bits, lowest byte first; returns how many bytes they are.</summary>
    private static unsafe uint Put(object argument, ref ulong value, int position) {
        if (argument is int) {
            value = unchecked((uint)(int)argument);
            return sizeof(int);
        } else if (argument is float) {
            float single = (float)argument;
            value = *(uint*)&single;
            return sizeof(float);
        } else if (argument is uint) {
            value = (uint)argument;
            return sizeof(uint);
        } else if (argument is long) {
            value = unchecked((ulong)(long)argument);
            return sizeof(long);
        } else if (argument is ulong) {
            value = (ulong)argument;
            return sizeof(ulong);
        } else if (argument is double) {
            value = unchecked((ulong)BitConverter.DoubleToInt64Bits((double)argument));
            return sizeof(double);
        } else if (argument is IntPtr) {
            value = unchecked((ulong)((IntPtr)argument).ToInt64());
            return sizeof(ulong);
        } else if (argument is UIntPtr) {
            value = ((UIntPtr)argument).ToUInt64();
            return sizeof(ulong);
        } else if (argument is short) {
            value = unchecked((ushort)(short)argument);
            return sizeof(short);
        } else if (argument is ushort) {
            value = (ushort)argument;
            return sizeof(ushort);
        } else if (argument is byte) {
            value = (byte)argument;
            return sizeof(byte);
        } else if (argument is sbyte) {
            value = unchecked((byte)(sbyte)argument);
            return sizeof(sbyte);
        } else if (argument is bool) {
            value = (bool)argument ? 1UL : 0UL;
            return 1;
        }
        string type = argument == null ? "null" : "of type " + argument.GetType().FullName;
        throw new ArgumentException(
            "kernel argument " + position + " (counting from 0) is " + type + "; pass a Buffer, a TextureObject, a "
            + "SurfaceObject, an integer of 8 to 64 bits, a float, double, bool or IntPtr, or a struct of numbers"
            + (argument == null ? ", and IntPtr.Zero for a null pointer" : ""),
            "arguments");
    }
}

}
