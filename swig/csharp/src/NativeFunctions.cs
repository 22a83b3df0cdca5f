namespace Cuprum.Native {

/// <summary>The functions of one library, by their index in its list. Each is looked up once.</summary>
internal sealed unsafe class NativeFunctions {
    private readonly string library;
    private readonly string[] names;
    // 0 where it was not looked up yet; whichever thread comes first stores the same.
    private readonly ulong[] entries;

    /// <summary>The names are in the order in which the generated code counts.</summary>
    public NativeFunctions(string library, string[] names) {
        this.library = library;
        this.names = names;
        entries = new ulong[names.Length];
        NativeLibraries.Load();
    }

    /// <summary>Calls a function whose result is a number; <paramref name="arguments"/> has a slot for each.</summary>
    public ulong Call(int index, ulong* arguments) {
        ulong result;
        Call(index, arguments, &result);
        return result;
    }

    /// <summary>Calls a function; its result goes to <paramref name="result"/>.</summary>
    public void Call(int index, ulong* arguments, ulong* result) {
        ulong entry = entries[index];
        if (entry == 0) {
            CuprumNative.cuprum_bindings_entry(out entry, library, names[index]);
            entries[index] = entry;
        }
        CuprumNative.cuprum_bindings_call(entry, (ulong)arguments, (ulong)result);
    }
}

}
