"""Children that are forked after cuInit, with a shared pool and its memory at hand, and end in every way.

shared_pool_forks.py SEED
"""

from __future__ import annotations

import os
import random
import sys
import threading
from typing import Any

from cuda.bindings import driver

FILE = driver.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
LEGACY = driver.CUstream(0)
UNUSABLE = driver.CUresult.CUDA_ERROR_NOT_INITIALIZED


def ok(answer: tuple[Any, ...]) -> Any:
    assert answer[0] == driver.CUresult.CUDA_SUCCESS, answer[0]
    return answer[1] if len(answer) == 2 else answer[1:]


def end_as_a_child(choice: random.Random, pool: Any, descriptor: int, memory: list[Any]) -> None:
    if choice.random() < 0.7:
        assert driver.cuMemPoolImportFromShareableHandle(descriptor, FILE, 0)[0] == UNUSABLE
        for answer in (
            driver.cuMemFreeAsync(memory[0], LEGACY),
            driver.cuMemPoolDestroy(pool),
            driver.cuCtxSynchronize(),
        ):
            assert answer[0] == UNUSABLE, answer
    way = choice.choice(["at once", "as usual", "as another program", "after a thread"])
    if way == "at once":
        os._exit(0)
    if way == "as another program":
        program = "from cuda.bindings import driver; assert int(driver.cuInit(0)[0]) == 0"
        os.execv(sys.executable, [sys.executable, "-c", program])
    if way == "after a thread":
        thread = threading.Thread(target=driver.cuDeviceGetCount)
        thread.start()
        thread.join()
    sys.exit(0)


def main(seed: int) -> None:
    choice = random.Random(seed)
    ok(driver.cuInit(0))
    ok(driver.cuCtxSetCurrent(ok(driver.cuDevicePrimaryCtxRetain(ok(driver.cuDeviceGet(0))))))
    properties = driver.CUmemPoolProps()
    properties.allocType = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    properties.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    properties.location.id = 0
    properties.handleTypes = FILE
    pool = ok(driver.cuMemPoolCreate(properties))
    descriptor = int(ok(driver.cuMemPoolExportToShareableHandle(pool, FILE, 0)))
    stream = ok(driver.cuStreamCreate(0)) if choice.random() < 0.7 else LEGACY
    memory = [ok(driver.cuMemAllocFromPoolAsync(size, pool, stream)) for size in (64, 5000, 1 << 20)]
    for address in memory:
        ok(driver.cuMemsetD8Async(address, 1, 64, stream))
        ok(driver.cuMemPoolExportPointer(address))
    children = []
    for number in range(choice.randint(1, 4)):
        child = os.fork()
        if child == 0:
            end_as_a_child(random.Random(10 * seed + number), pool, descriptor, memory)
        children.append(child)
    if choice.random() < 0.5:
        ok(driver.cuMemFreeAsync(memory[0], stream))
    if choice.random() < 0.5:
        ok(driver.cuMemPoolDestroy(pool))
    statuses = [os.waitpid(child, 0)[1] for child in children]
    assert not any(statuses), statuses
    print("done")


if __name__ == "__main__":
    main(int(sys.argv[1]))
