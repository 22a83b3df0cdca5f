"""A partition in three: hot, cold, and all other readings, each in their order."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    readings = DeviceArray.from_numpy(np.array([21, 35, -4, 18, 40, 2, 31, -1], np.int32))
    hot, cold, mild = (DeviceArray.empty(8, np.int32) for _ in range(3))
    counts = DeviceArray.empty(2, np.int64)
    parallel.three_way_partition(
        d_in=readings,
        d_first_part_out=hot,
        d_second_part_out=cold,
        d_unselected_out=mild,
        d_num_selected_out=counts,
        select_first_part_op=lambda a: a > 30,
        select_second_part_op=lambda a: a < 0,
    )
    device.sync()
    number_hot, number_cold = counts.to_numpy().tolist()
    is_right = hot.to_numpy()[:number_hot].tolist() == [35, 40, 31]
    is_right = is_right and cold.to_numpy()[:number_cold].tolist() == [-4, -1]
    is_right = is_right and mild.to_numpy()[: 8 - number_hot - number_cold].tolist() == [21, 18, 2]
    print(number_hot, "hot,", number_cold, "cold", "ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
