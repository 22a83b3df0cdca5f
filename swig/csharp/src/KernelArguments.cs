using System;

namespace Cuprum {

/// <summary>cuprum_argument.</summary>
internal struct PackedArgument {
    public int Kind;
    public uint Size;
    /// <summary>For numbers the address of the value, for Buffer its handle.</summary>
    public ulong Value;
}

/// <summary>Packs the arguments of a launch into what the C ABI takes.</summary>
internal static class KernelArguments {
    private const int IntegerBytes = Native.CuprumNative.CUPRUM_ARGUMENT_INT_BYTES;
    private const int FloatBytes = Native.CuprumNative.CUPRUM_ARGUMENT_FLOAT_BYTES;
    private const int BufferHandle = Native.CuprumNative.CUPRUM_ARGUMENT_BUFFER;

    /// <summary><paramref name="valuesInPlace"/> is the address of <paramref name="values"/>, one for each argument.
    /// </summary>
    public static unsafe PackedArgument[] Pack(object[] arguments, ulong[] values, ulong* valuesInPlace) {
        var packed = new PackedArgument[arguments.Length];
        for (int i = 0; i < arguments.Length; ++i) {
            var buffer = arguments[i] as Buffer;
            if (buffer != null) {
                packed[i].Kind = BufferHandle;
                packed[i].Value = buffer.Use("launching a kernel").Value;
                continue;
            }
            packed[i].Kind = arguments[i] is float || arguments[i] is double ? FloatBytes : IntegerBytes;
            packed[i].Size = Put(arguments[i], ref values[i], i);
            packed[i].Value = (ulong)(valuesInPlace + i);
        }
        return packed;
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
            "kernel argument " + position + " (counting from 0) is " + type + "; pass a Buffer, an integer of 8 to 64 "
            + "bits, a float, double, bool or IntPtr"
            + (argument == null ? ", and IntPtr.Zero for a null pointer" : ""),
            "arguments");
    }
}

}
