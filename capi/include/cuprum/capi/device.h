/* Devices are ordinals: 0 .. cuprum_device_count() - 1. The driver is loaded and initialised at the first call. */
#ifndef CUPRUM_CAPI_DEVICE_H
#define CUPRUM_CAPI_DEVICE_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuprum_device_properties {
    uint32_t struct_size;
    int32_t compute_capability_major;
    int32_t compute_capability_minor;
    int32_t multiprocessor_count;
    int32_t warp_size;
    int32_t max_threads_per_block;
    int32_t max_block_dim_x, max_block_dim_y, max_block_dim_z;
    int32_t max_grid_dim_x, max_grid_dim_y, max_grid_dim_z;
    int32_t max_shared_memory_per_block;          /* bytes */
    int32_t max_shared_memory_per_block_optin;    /* bytes */
    int32_t max_shared_memory_per_multiprocessor; /* bytes */
    int32_t max_registers_per_block;
    int32_t max_threads_per_multiprocessor;
    int32_t clock_rate;              /* kHz */
    int32_t memory_clock_rate;       /* kHz */
    int32_t global_memory_bus_width; /* bits */
    int32_t l2_cache_size;           /* bytes */
    int32_t is_simulator;            /* 1 when the driver in use is Cuprum's simulator */
} cuprum_device_properties;
#define CUPRUM_DEVICE_PROPERTIES_INIT \
    {sizeof(cuprum_device_properties), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* @does counting the CUDA devices
 * @blocks */
CUPRUM_API cuprum_status cuprum_device_count(int32_t* count_out);
/* The device whose context is current on the calling thread, even if other code made it current; 0 if none is.
 * @does asking for the current device
 * @blocks */
CUPRUM_API cuprum_status cuprum_device_current(int32_t* device_out);
/* The device that memory is on, even if other code allocated it; for page-locked host memory the one it was allocated
 * for. -1 for an address that the driver does not know.
 * @does asking where memory is
 * @blocks */
CUPRUM_API cuprum_status cuprum_device_of_memory(int32_t* device_out, uint64_t address);
/* The name; the simulator's says that it is one.
 * @does asking for a device's name
 * @property */
CUPRUM_API cuprum_status cuprum_device_name(const char** name_out, int32_t device);
/* The UUID, "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".
 * @does asking for a device's UUID
 * @property */
CUPRUM_API cuprum_status cuprum_device_uuid(const char** uuid_out, int32_t device);
/* The PCI bus id, "0000:01:00.0".
 * @does asking for a device's PCI bus id
 * @property */
CUPRUM_API cuprum_status cuprum_device_pci_bus_id(const char** pci_bus_id_out, int32_t device);
/* The architecture, "90": what follows `sm_` and `compute_`.
 * @does asking for a device's architecture
 * @property */
CUPRUM_API cuprum_status cuprum_device_arch(const char** arch_out, int32_t device);
/* Fills as much of `properties_out` as its struct_size covers.
 * @does asking for a device's properties */
CUPRUM_API cuprum_status cuprum_device_properties_get(cuprum_device_properties* properties_out, int32_t device);
/* The value of any attribute that the driver knows.
 * @does asking for a device's attribute
 * @method
 * @param driver_attribute the number of a CUdevice_attribute
 * @by_hand python */
CUPRUM_API cuprum_status cuprum_device_attribute(int32_t* value_out, int32_t device, int32_t driver_attribute);
/* The row pitch at which every row of `width` bytes is aligned as the start of an allocation is, so that kernels read
 * each row as fast as the first. The width, rounded up, in bytes.
 * @does choosing a row pitch
 * @method
 * @param width bytes in a row */
CUPRUM_API cuprum_status cuprum_device_row_pitch(uint64_t* row_pitch_out, int32_t device, uint64_t width);
/* The free and the total memory in bytes, read at the same moment. Either output may be NULL.
 * @does asking for a device's memory
 * @nullable free_out total_out */
CUPRUM_API cuprum_status cuprum_device_memory_info(uint64_t* free_out, uint64_t* total_out, int32_t device);
/* Whether the driver in use is Cuprum's simulator.
 * @does asking whether a device is the simulator
 * @truth is_simulator_out
 * @property */
CUPRUM_API cuprum_status cuprum_device_is_simulator(int32_t* is_simulator_out, int32_t device);
/* Makes the device's primary context current on the calling thread, for code outside Cuprum that relies on it. No other
 * function does.
 * @does making a device current
 * @method
 * @by_hand python
 * @blocks */
CUPRUM_API cuprum_status cuprum_device_set_current(int32_t device);
/* Waits until all work of the device is done. CUPRUM_ERROR_DEVICE_FAULT when a kernel failed.
 * @does waiting for a device
 * @method
 * @by_hand python
 * @blocks */
CUPRUM_API cuprum_status cuprum_device_sync(int32_t device);
/* The driver's version: major * 1000 + minor * 10.
 * @does asking for the driver's version
 * @blocks */
CUPRUM_API cuprum_status cuprum_driver_version(int32_t* version_out);
/* NVRTC's version.
 * @does asking for NVRTC's version
 * @blocks */
CUPRUM_API cuprum_status cuprum_nvrtc_version(int32_t* major_out, int32_t* minor_out);

#ifdef __cplusplus
}
#endif
#endif
