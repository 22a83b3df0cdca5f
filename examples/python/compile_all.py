"""Many programs at once: compiled on several threads, with progress; found in the compile cache the second time; and
what the compiler says of one that is wrong."""

from __future__ import annotations

import numpy as np
from cuprum import CompileError
from cuprum.core import CompileProgress, Device, LaunchConfig, ObjectCode, Program, compile_all, launch
from cuprum.core.utils import compile_cache_info

PROGRAMS = 8


def program_that_writes(number: int) -> Program:
    source = f'extern "C" __global__ void write(int* out) {{ *out = {number}; }}'
    return Program(source, "c++", {"name": f"write_{number}.cu"})


def compiled(programs: list[Program]) -> list[ObjectCode]:
    reports: list[CompileProgress] = []
    codes = compile_all(programs, num_threads=4, progress=reports.append)
    assert [each.done for each in reports] == list(range(1, PROGRAMS + 1))
    assert all(each.succeeded for each in reports)
    return codes


def run(device: Device, codes: list[ObjectCode]) -> None:
    """The kernels run on the device, one after another."""
    stream = device.create_stream()
    out = device.allocate(4, stream=stream)
    written = np.empty(1, np.int32)
    for number, code in enumerate(codes):
        launch(stream, LaunchConfig(grid=1, block=1), code.get_kernel("write"), out)
        out.copy_to_host(written, stream=stream)
        stream.sync()
        assert written[0] == number


def see_what_is_wrong() -> None:
    try:
        Program("__global__ void k() {\n    wrong();\n}", "c++", {"name": "k.cu"}).compile()
    except CompileError as error:
        (diagnostic,) = error.diagnostics
        assert diagnostic.line == 2
        print(f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}: {diagnostic.text}")
    else:
        raise AssertionError("what is wrong was compiled")


def main() -> None:
    device = Device(0)
    programs = [program_that_writes(number) for number in range(PROGRAMS)]
    compiled(programs)
    run(device, compiled(programs))
    see_what_is_wrong()
    cache = compile_cache_info()
    assert cache.disabled_reason or cache.hits >= PROGRAMS
    print(f"{PROGRAMS} programs for {device.name}, each compiled twice: {cache.hits} found in the compile cache")


if __name__ == "__main__":
    main()
