"""The time of a kernel, by events."""

from cuda.core import Device, EventOptions, LaunchConfig, Program, launch

device = Device()
device.set_current()
stream = device.create_stream()
kernel = Program('extern "C" __global__ void nothing() {}', "c++").compile("ptx").get_kernel("nothing")

options = EventOptions(timing_enabled=True)
start, end = stream.record(options=options), None
for _ in range(3):
    launch(stream, LaunchConfig(grid=4, block=64), kernel)
end = stream.record(options=options)
end.sync()
assert start.is_done
assert end.is_done
assert end - start >= 0  # milliseconds

silent = device.create_event(EventOptions(timing_enabled=False))
stream.record(silent)
silent.sync()
assert not silent.is_timing_enabled
try:
    silent - start
except RuntimeError:
    pass
else:
    raise AssertionError("an event without times has no time")
print("done")
