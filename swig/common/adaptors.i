// The functions of the C ABI whose form does not translate, in one that does. Those that take a structure are adapted by
// swig/generator.

// A pointer and its byte count stand side by side, so that one typemap covers the pair.
%ignore cuprum_buffer_copy_to_host;
%rename(CUPRUM_NAME(buffer_copy_to_host)) cuprum_adapted_buffer_copy_to_host;

%inline %{
static cuprum_status cuprum_adapted_buffer_copy_to_host(void* destination, uint64_t size, cuprum_buffer buffer,
                                                        uint64_t offset, cuprum_stream stream) {
    return cuprum_buffer_copy_to_host(destination, buffer, offset, size, stream);
}
%}
