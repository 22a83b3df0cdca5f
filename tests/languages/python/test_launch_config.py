"""Launch configurations: what they hold, what they refuse, and what of it reaches the driver."""

from __future__ import annotations

import array
import pickle

import cuprum
import pytest
from cuprum.core import (
    AccessPolicyWindow,
    Device,
    LaunchConfig,
    MemorySyncDomain,
    Program,
    launch,
)


def test_a_launch_configuration_fills_up_its_dimensions() -> None:
    assert LaunchConfig(3, block=32).grid == (3, 1, 1)
    assert LaunchConfig((3, 4), block=(32,)).grid == (3, 4, 1)
    assert LaunchConfig((3, 4), block=(32,)).block == (32, 1, 1)
    assert LaunchConfig(grid=1, block=(1, 2, 3), shmem_size=5, is_cooperative=True).shmem_size == 5


def test_launch_configurations_are_values() -> None:
    config = LaunchConfig((3, 4), block=32)
    assert config == LaunchConfig((3, 4, 1), block=(32, 1, 1))
    assert len({config, LaunchConfig((3, 4, 1), block=(32, 1, 1)), LaunchConfig(3, block=32)}) == 2
    assert pickle.loads(pickle.dumps(config)) == config
    with pytest.raises(AttributeError):
        config.grid = (1, 1, 1)  # type: ignore[misc]


@pytest.mark.parametrize("grid", [0, -1, 1 << 32, (), (1, 2, 3, 4), (1, 0)])
def test_dimensions_that_cannot_be_are_refused(grid: object) -> None:
    with pytest.raises(ValueError, match="grid"):
        LaunchConfig(grid, block=32)  # type: ignore[arg-type]


@pytest.mark.parametrize("block", [1.5, "32", (1, 2.0)])
def test_dimensions_that_are_no_integers_are_refused(block: object) -> None:
    with pytest.raises(TypeError, match="block must be an int"):
        LaunchConfig(1, block=block)  # type: ignore[arg-type]


def test_a_launch_configurations_order_is_cuda_cores() -> None:
    config = LaunchConfig(4, 2, 32, 64, True, True)
    assert (config.grid, config.cluster, config.block) == ((4, 1, 1), (2, 1, 1), (32, 1, 1))
    assert (config.shmem_size, config.is_cooperative, config.programmatic_stream_serialization) == (64, True, True)
    assert LaunchConfig(4, None, 32).cluster is None
    with pytest.raises(TypeError, match=r"block is missing.*LaunchConfig\(grid=4, block=32\)"):
        LaunchConfig(4, 32)


def test_launch_configurations_with_everything_are_values() -> None:
    config = LaunchConfig(
        4,
        (2, 1),
        32,
        priority=-1,
        preferred_shared_memory_carveout=50,
        memory_sync_domain="remote",
        memory_sync_domain_map=(0, 1),
        access_policy_window=AccessPolicyWindow(4096, 1024, 0.5, hit="persisting", miss="normal"),
    )
    assert pickle.loads(pickle.dumps(config)) == config
    assert hash(config) == hash(pickle.loads(pickle.dumps(config)))
    assert config != LaunchConfig(4, (2, 1), 32)
    assert config.memory_sync_domain is MemorySyncDomain.REMOTE
    assert "carveout=50" in repr(config)
    assert repr(LaunchConfig(4, block=32)) == "LaunchConfig(grid=(4, 1, 1), block=(32, 1, 1))"
    assert repr(LaunchConfig(4, block=32, priority=0)).endswith("priority=0)")


def test_what_a_launch_asks_for_reaches_the_driver(device: Device) -> None:
    source = 'extern "C" __global__ void add(int* x) { atomicAdd(x, 1); }'
    kernel = Program(source, "c++").compile("ptx").get_kernel("add")
    stream = device.create_stream()
    x = device.allocate(4, stream=stream)
    x.fill(0, stream=stream)
    window = AccessPolicyWindow(int(x.handle), x.size, 0.5)
    for asked in (
        {"programmatic_stream_serialization": True},
        {"is_cooperative": True},
        {"priority": -1},
        {"preferred_shared_memory_carveout": 0},
        {"memory_sync_domain": "remote", "memory_sync_domain_map": (0, 0)},
        {"access_policy_window": window},
    ):
        launch(stream, LaunchConfig(2, 1, 16, **asked), kernel, x)
    seen = array.array("i", [0])
    x.copy_to_host(seen, stream=stream)
    stream.sync()
    assert seen[0] == 6 * 32
    clusters = LaunchConfig(1, 2, 32)
    if device.properties.cluster_launch:
        launch(stream, clusters, kernel, x)
    else:
        with pytest.raises(cuprum.Unsupported, match=r"cluster is \(2, 1, 1\).*no clusters"):
            launch(stream, clusters, kernel, x)
    # A domain that no device has: the driver's own answer shows that it was asked.
    with pytest.raises(cuprum.Error):
        launch(stream, LaunchConfig(1, block=1, memory_sync_domain_map=(255, 255)), kernel, x)
    stream.sync()


def test_a_kernel_tells_what_clusters_a_device_takes(device: Device) -> None:
    config = LaunchConfig(4, 2, 32)
    stream = device.create_stream()
    occupancy = Program('extern "C" __global__ void nothing() {}', "c++").compile().get_kernel("nothing").occupancy
    if device.properties.cluster_launch:
        assert occupancy.max_potential_cluster_size(config, stream=stream) == 8
        assert occupancy.max_active_clusters(config, stream=device.default_stream) > 0
        assert occupancy.max_active_clusters(LaunchConfig(4, block=32), stream=stream) == 0
    else:
        with pytest.raises(cuprum.Unsupported, match=r"asking for the largest cluster.*no clusters"):
            occupancy.max_potential_cluster_size(config, stream=stream)
        with pytest.raises(cuprum.Unsupported, match=r"asking for the clusters that run at once.*no clusters"):
            occupancy.max_active_clusters(config, stream=device.default_stream)
    for ask in (occupancy.max_potential_cluster_size, occupancy.max_active_clusters):
        with pytest.raises(TypeError, match="config must be a LaunchConfig, not int"):
            ask(4, stream=stream)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="stream must be a Stream"):
            ask(config, stream=None)  # type: ignore[arg-type]


def test_what_no_launch_can_have_is_refused() -> None:
    for wrong in (-1, 101):
        with pytest.raises(ValueError, match="carveout is from 0 to 100"):
            LaunchConfig(1, block=1, preferred_shared_memory_carveout=wrong)
    with pytest.raises(TypeError, match="priority must be an int"):
        LaunchConfig(1, block=1, priority=0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="local"):
        LaunchConfig(1, block=1, memory_sync_domain="local")
    with pytest.raises(ValueError, match="hit_ratio"):
        AccessPolicyWindow(0, 16, 1.5)
    with pytest.raises(ValueError, match="not persisting"):
        AccessPolicyWindow(0, 16, miss="persisting")
    with pytest.raises(TypeError, match="AccessPolicyWindow"):
        LaunchConfig(1, block=1, access_policy_window=(0, 16))  # type: ignore[arg-type]


@pytest.mark.parametrize(("elements", "blocks"), [(0, 1), (1, 1), (1024, 4), (1025, 5)])
def test_a_grid_for_a_number_of_elements(elements: int, blocks: int) -> None:
    assert LaunchConfig.for_num_elements(elements, 256) == LaunchConfig(blocks, block=256)
    with pytest.raises(ValueError, match="num_elements"):
        LaunchConfig.for_num_elements(-1, 256)
