"""What the driver says of devices."""

import pycuda.driver as drv

drv.init()
print(drv.Device.count() > 0, "device(s) found")
for ordinal in range(1):
    dev = drv.Device(ordinal)
    print("Device #%d: %s" % (ordinal, type(dev.name()).__name__))
    print("  Compute Capability: %d numbers" % len(dev.compute_capability()), dev.compute_capability() >= (5, 0))
    print("  Total Memory: %s" % (dev.total_memory() > 1 << 24))
    attributes = dev.get_attributes()
    for att in (
        drv.device_attribute.WARP_SIZE,
        drv.device_attribute.MAX_THREADS_PER_BLOCK,
        drv.device_attribute.MAX_SHARED_MEMORY_PER_BLOCK,
        drv.device_attribute.MULTIPROCESSOR_COUNT,
    ):
        print("  %s: %s" % (att, attributes[att] > 0), attributes[att] == dev.get_attribute(att))
    print(dev.max_grid_dim_x, dev.max_block_dim_z, dev.warp_size, dev.multiprocessor_count > 0)
    print(dev == drv.Device(dev.pci_bus_id()), hash(dev) == hash(drv.Device(ordinal)))
print(len(drv.get_version()), drv.get_driver_version() >= 12000)
