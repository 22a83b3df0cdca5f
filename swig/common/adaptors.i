// The few functions of the C ABI whose C form does not translate, in a form that does.
//
// A struct passed in becomes its fields as plain numbers: nothing to allocate, and nothing to lay out a second time in
// another language. A pointer and its byte count stand side by side, so that one typemap covers the pair. Names stay
// those of the C ABI; each takes the place of the function that it calls.

%ignore cuprum_stream_create;
%ignore cuprum_event_create;
%ignore cuprum_launch;
%ignore cuprum_buffer_copy_to_host;

%rename(CUPRUM_NAME(stream_create)) cuprum_adapted_stream_create;
%rename(CUPRUM_NAME(event_create)) cuprum_adapted_event_create;
%rename(CUPRUM_NAME(launch)) cuprum_adapted_launch;
%rename(CUPRUM_NAME(buffer_copy_to_host)) cuprum_adapted_buffer_copy_to_host;

%inline %{
static cuprum_status cuprum_adapted_stream_create(cuprum_stream* stream_out, int32_t device, int32_t nonblocking,
                                                  int32_t priority) {
    cuprum_stream_options options = CUPRUM_STREAM_OPTIONS_INIT;
    options.blocking = nonblocking == 0;
    options.priority = priority;
    return cuprum_stream_create(stream_out, device, &options);
}

static cuprum_status cuprum_adapted_event_create(cuprum_event* event_out, int32_t device, int32_t timing_enabled,
                                                 int32_t blocking_sync) {
    cuprum_event_options options = CUPRUM_EVENT_OPTIONS_INIT;
    options.timing_enabled = timing_enabled;
    options.blocking_sync = blocking_sync;
    return cuprum_event_create(event_out, device, &options);
}

static cuprum_status cuprum_adapted_launch(cuprum_stream stream, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                                           uint32_t block_x, uint32_t block_y, uint32_t block_z,
                                           uint32_t shared_memory, int32_t is_cooperative, cuprum_kernel kernel,
                                           const cuprum_argument* arguments, uint32_t argument_count) {
    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    config.grid_x = grid_x;
    config.grid_y = grid_y;
    config.grid_z = grid_z;
    config.block_x = block_x;
    config.block_y = block_y;
    config.block_z = block_z;
    config.shared_memory = shared_memory;
    config.is_cooperative = is_cooperative;
    return cuprum_launch(stream, &config, kernel, arguments, argument_count);
}

static cuprum_status cuprum_adapted_buffer_copy_to_host(void* destination, uint64_t size, cuprum_buffer buffer,
                                                        uint64_t offset, cuprum_stream stream) {
    return cuprum_buffer_copy_to_host(destination, buffer, offset, size, stream);
}
%}
