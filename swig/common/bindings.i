// The bindings of the CUDA libraries, for languages that call every function through one: what is left of
// capi/bindings.h once its pointers to functions have become numbers.

%ignore cuprum_bindings_find;
%ignore cuprum_bindings_function_at;
%ignore cuprum_bindings_function;
%ignore cuprum_bindings_invoke;

%rename(CUPRUM_NAME(bindings_entry)) cuprum_adapted_bindings_entry;
%rename(CUPRUM_NAME(bindings_call)) cuprum_adapted_bindings_call;
%rename(CUPRUM_NAME(bindings_text)) cuprum_adapted_bindings_text;

%inline %{
// What cuprum_bindings_call takes for the function of that name.
static cuprum_status cuprum_adapted_bindings_entry(uint64_t* entry_out, const char* library, const char* name) {
    cuprum_bindings_function function = cuprum_bindings_function();
    function.struct_size = sizeof(function);
    const cuprum_status status = cuprum_bindings_find(&function, library, name);
    if (status == CUPRUM_SUCCESS) {
        *entry_out = reinterpret_cast<uintptr_t>(function.invoke);
    }
    return status;
}

// Calls it; both addresses are those of 64-bit slots.
static void cuprum_adapted_bindings_call(uint64_t entry, uint64_t arguments, uint64_t result) {
    reinterpret_cast<cuprum_bindings_invoke>(static_cast<uintptr_t>(entry))(
        reinterpret_cast<const uint64_t*>(static_cast<uintptr_t>(arguments)),
        reinterpret_cast<uint64_t*>(static_cast<uintptr_t>(result)));
}

// The text at an address.
static const char* cuprum_adapted_bindings_text(uint64_t address) {
    return reinterpret_cast<const char*>(static_cast<uintptr_t>(address));
}
%}

%include "cuprum/capi/bindings.h"
