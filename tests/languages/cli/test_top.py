"""`cuprum top`: one look, several, JSON, a terminal, a machine without NVML."""

from __future__ import annotations

import json

from cli_program import run, run_json, run_on_terminal

SIM = {
    "CUPRUM_DRIVER": "sim",
    "CUPRUM_SIM": "devices=2,memory=512MiB",
    "CUPRUM_SIM_NVML": "temperature=61,power=180,utilization=70,fan=45",
}


def test_one_look_is_a_table() -> None:
    result = run("top", "--once", environment=SIM)
    assert result.returncode == 0, result.stderr
    head, first, second, *_ = result.stdout.splitlines()
    assert head.split() == ["GPU", "busy", "memory", "temp", "power", "SM", "state", "fan"]
    assert "Cuprum simulator (no GPU)" in first
    for text in ("70 %", "0 / 512 MiB", "61 C", "180 / 300 W", "MHz", "P0", "45 %"):
        assert text in first
    assert second.split()[0] == "1"
    assert "no process computes" in result.stdout
    assert "\x1b" not in result.stdout


def test_json_has_the_units_of_the_library() -> None:
    gpus = run_json("top", "--once", environment=SIM)
    assert [gpu["index"] for gpu in gpus] == [0, 1]
    gpu = gpus[0]
    assert gpu["gpu_utilization"] == 70
    assert gpu["memory_total"] == 512 << 20
    assert gpu["temperature"] == 61
    assert gpu["power_usage"] == 180_000
    assert gpu["fan_speed"] == 45
    assert gpu["processes"] == []


def test_what_a_gpu_does_not_have_is_null() -> None:
    (gpu,) = run_json("top", "--once", environment={"CUPRUM_DRIVER": "sim"})
    assert gpu["fan_speed"] is None
    assert "fan" in run("top", "--once", environment={"CUPRUM_DRIVER": "sim"}).stdout


def test_looks_are_counted_and_a_line_of_json_each() -> None:
    result = run("top", "--json", "--interval", "20", "--count", "3", environment=SIM)
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    assert all(json.loads(line)[1]["index"] == 1 for line in lines)


def test_a_terminal_is_cleared_for_each_look() -> None:
    text = run_on_terminal("top", "--interval", "20", "--count", "2", environment=SIM)
    assert text.count("\x1b[H\x1b[J") == 2
    assert "Ctrl-C ends" in text


def test_wrong_options_are_refused() -> None:
    assert run("top", "fast").returncode == 2
    assert run("top", "--interval", "soon").returncode == 2
    assert run("top", "--count", "0").returncode == 2


def test_without_nvml_it_says_where_it_looked() -> None:
    result = run("top", "--once", hide=("libnvidia-ml",), environment={"CUPRUM_DRIVER": "gpu"})
    assert result.returncode == 1
    assert "libnvidia-ml.so.1" in result.stderr
    assert "install NVIDIA's driver" in result.stderr
