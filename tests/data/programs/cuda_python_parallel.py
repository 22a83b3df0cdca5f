from cuda.cccl.parallel import reduce
import numpy as np

data = np.random.rand(1024 * 1024).astype(np.float32)
expected_sum = data.sum()
result = reduce(data, 0.0, lambda a, b: a + b)
assert np.isclose(result, expected_sum)
print(f"parallel sum: {result} (expected {expected_sum})")
