"""A reduction to a structure: the smallest and the largest element together."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray
from pycuda.reduction import ReductionKernel
from pycuda.tools import get_or_register_dtype

mmc_dtype = np.dtype([("cur_min", np.int32), ("cur_max", np.int32), ("pad", np.int32)])
preamble = """
struct minmax_collector {
    int cur_min, cur_max, pad;
    __device__ minmax_collector() {}
    __device__ minmax_collector(int cmin, int cmax, int dummy) : cur_min(cmin), cur_max(cmax), pad(dummy) {}
    __device__ minmax_collector(minmax_collector const &src)
        : cur_min(src.cur_min), cur_max(src.cur_max), pad(src.pad) {}
    __device__ minmax_collector(minmax_collector const volatile &src)
        : cur_min(src.cur_min), cur_max(src.cur_max), pad(src.pad) {}
    __device__ minmax_collector volatile &operator=(minmax_collector const &src) volatile {
        cur_min = src.cur_min; cur_max = src.cur_max; pad = src.pad;
        return *this;
    }
    __device__ minmax_collector &operator=(minmax_collector const &src) {
        cur_min = src.cur_min; cur_max = src.cur_max; pad = src.pad;
        return *this;
    }
};
__device__ minmax_collector agg_mmc(minmax_collector a, minmax_collector b) {
    return minmax_collector(min(a.cur_min, b.cur_min), max(a.cur_max, b.cur_max), 0);
}
"""
get_or_register_dtype("minmax_collector", mmc_dtype)

red = ReductionKernel(
    mmc_dtype,
    neutral="minmax_collector(2147483647, -2147483647, 0)",
    reduce_expr="agg_mmc(a, b)",
    map_expr="minmax_collector(x[i], x[i], 0)",
    arguments="int *x",
    preamble=preamble,
)
values = (np.arange(5000) * 7919 % 10007 - 3000).astype(np.int32)
minmax = red(gpuarray.to_gpu(values)).get()
print(minmax["cur_min"], minmax["cur_max"])
print(values.min(), values.max())
