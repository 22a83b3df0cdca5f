// Which calls let other Python threads run: those that may block on a device, a compiler, a file or the driver's
// initialisation. Launches and getters keep the GIL: letting go and taking it again costs more than they do, and Python
// code that launches from several threads gains nothing from it. Needs swig -threads.
%nothread;
%thread cuprum_device_count;
%thread cuprum_device_set_current;
%thread cuprum_device_sync;
%thread cuprum_driver_version;
%thread cuprum_nvrtc_version;
%thread cuprum_adapted_stream_create;
%thread cuprum_adapted_event_create;
%thread cuprum_stream_default;
%thread cuprum_stream_destroy;
%thread cuprum_stream_sync;
%thread cuprum_event_destroy;
%thread cuprum_event_sync;
%thread cuprum_buffer_allocate;
%thread cuprum_buffer_destroy;
%thread cuprum_buffer_copy_from_host;
%thread cuprum_adapted_buffer_copy_to_host;
%thread cuprum_buffer_copy;
%thread cuprum_program_compile;
%thread cuprum_object_code_destroy;
%thread cuprum_object_code_get_kernel;
%thread cuprum_object_code_kernel_count;
%thread cuprum_object_code_kernel_name;
%thread cuprum_kernel_destroy;
%thread cuprum_find_library;
%thread cuprum_find_header_directory;
%thread cuprum_info_json;
