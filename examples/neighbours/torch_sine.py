"""The sine of PyTorch's tensor, by PyTorch and by a kernel of Cuprum's, launched in PyTorch's stream."""

from __future__ import annotations

import sys

import numpy as np
import torch
from cuprum.allocators.torch import TorchMemoryResource
from cuprum.core import Device, LaunchConfig, Program, Stream, launch
from cuprum.parallel import DeviceArray

SOURCE = """
extern "C" __global__ void sine(const float* input, float* output, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = sinf(input[i]);
}
"""
N = 1_000_000


def main() -> int:
    device = Device(0)
    device.set_current()
    sine = Program(SOURCE, "sine.cu").compile().get_kernel("sine")

    tensor = torch.rand(N, device="cuda:0")
    result = torch.empty_like(tensor)
    # In PyTorch's own stream no order has to be made.
    stream = Stream.from_handle(torch.cuda.current_stream().cuda_stream)
    launch(stream, LaunchConfig.for_num_elements(N, 256), sine, tensor, result, N)
    results_agree = torch.allclose(result, torch.sin(tensor), atol=1e-6)
    results_agree = results_agree and np.allclose(np.sin(tensor.cpu().numpy()), result.cpu().numpy(), atol=1e-6)

    # Memory of PyTorch's allocator in a buffer, and the buffer as a tensor.
    buffer = TorchMemoryResource().allocate(4 * N, stream=stream)
    buffer.copy_from_host(np.ones(N, np.float32), stream=stream)
    ours = torch.from_dlpack(DeviceArray(buffer, np.float32))
    is_the_same_memory = ours.data_ptr() == buffer.handle and ours.sum().item() == N

    ok = results_agree and is_the_same_memory
    print(f"{N} sines of PyTorch's tensor on {device.name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
