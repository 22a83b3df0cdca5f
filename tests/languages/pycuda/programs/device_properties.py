"""What the driver says of devices."""

import pycuda.driver as drv

drv.init()
print(drv.Device.count() > 0, "device(s) found")
for ordinal in range(drv.Device.count()):
    dev = drv.Device(ordinal)
    print("Device #%d: %s" % (ordinal, type(dev.name()).__name__))
    print("  Compute Capability: %d.%d" % dev.compute_capability())
    print("  Total Memory: %s KB" % (dev.total_memory() // 1024))
    attributes = dev.get_attributes()
    for att in (
        drv.device_attribute.WARP_SIZE,
        drv.device_attribute.MAX_THREADS_PER_BLOCK,
        drv.device_attribute.MAX_SHARED_MEMORY_PER_BLOCK,
        drv.device_attribute.MULTIPROCESSOR_COUNT,
    ):
        print("  %s: %s" % (att, attributes[att]), attributes[att] == dev.get_attribute(att))
    print(dev.max_grid_dim_x, dev.max_block_dim_z, dev.warp_size)
    print(dev == drv.Device(dev.pci_bus_id()), hash(dev) == hash(drv.Device(ordinal)))
print(len(drv.get_version()), drv.get_driver_version() >= 12000)
