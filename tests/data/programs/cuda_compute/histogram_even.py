import cuda.compute
import cupy as cp
import numpy as np

h_samples = np.array([2.2, 6.1, 7.1, 2.9, 3.5, 0.3, 2.9, 2.1, 6.1, 999.5], dtype=np.float32)
d_samples = cp.asarray(h_samples)
expected = [1, 5, 0, 3, 0, 0]

for counter_type, level_type in ((np.int32, np.float64), (np.uint64, np.float32)):
    num_levels = 7
    d_histogram = cp.empty(num_levels - 1, dtype=counter_type)
    cuda.compute.histogram_even(
        d_samples=d_samples,
        d_histogram=d_histogram,
        num_output_levels=num_levels,
        lower_level=level_type(0.0),
        upper_level=level_type(12.0),
        num_samples=d_samples.size,
    )
    assert d_histogram.get().tolist() == expected

    levels = {
        "h_num_output_levels": np.array([num_levels], dtype=np.int32),
        "h_lower_level": np.array([0.0], dtype=level_type),
        "h_upper_level": np.array([12.0], dtype=level_type),
    }
    arrays = {"d_samples": d_samples, "d_histogram": d_histogram}
    histogram = cuda.compute.make_histogram_even(**arrays, **levels, num_samples=d_samples.size)
    temp_storage_bytes = histogram(temp_storage=None, **arrays, **levels, num_samples=d_samples.size)
    temp_storage = cp.empty(temp_storage_bytes, dtype=np.uint8)
    histogram(temp_storage=temp_storage, **arrays, **levels, num_samples=4)
    assert d_histogram.get().tolist() == [0, 2, 0, 2, 0, 0]
print("histogram_even ok")
