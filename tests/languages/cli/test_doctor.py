"""`cuprum doctor` on real machines: with nothing, with a toolkit and no driver, with everything."""

from __future__ import annotations

from typing import Any

from cli_program import DRIVER, TOOLKIT, run, run_json


def errors(findings: list[Any]) -> set[str]:
    return {finding["subject"] for finding in findings if finding["severity"] == "error"}


def test_with_nothing_driver_and_toolkit_are_missing() -> None:
    result = run("doctor", hide=TOOLKIT + DRIVER)
    assert result.returncode == 1
    assert "error: driver:" in result.stdout
    assert "error: toolkit:" in result.stdout
    assert "export CUPRUM_DRIVER=sim" in result.stdout
    assert "pip install nvidia-cuda-nvrtc" in result.stdout
    assert errors(run_json("doctor", hide=TOOLKIT + DRIVER)) == {"driver", "toolkit"}


def test_with_a_toolkit_and_no_driver_only_the_driver_is_missing() -> None:
    assert run("doctor", hide=DRIVER).returncode == 1
    assert errors(run_json("doctor", hide=DRIVER)) == {"driver"}


def test_with_everything_all_is_well() -> None:
    # The simulator's driver stands for the driver.
    result = run("doctor", environment={"CUPRUM_DRIVER": "sim"})
    assert result.returncode == 0
    assert result.stdout.endswith("all is well\n")
    assert errors(run_json("doctor", environment={"CUPRUM_DRIVER": "sim"})) == set()


def test_each_finding_says_what_to_do() -> None:
    for finding in run_json("doctor", hide=TOOLKIT + DRIVER):
        assert set(finding) == {"severity", "subject", "problem", "remedy"}
        assert finding["remedy"]


def test_a_variable_that_names_nothing_is_found_out() -> None:
    findings = run_json("doctor", environment={"CUPRUM_DRIVER": "sim", "CUDA_PATH": "/gone"})
    assert {
        "severity": "warning",
        "subject": "CUDA_PATH",
        "problem": "/gone: CUDA_PATH: does not exist",
        "remedy": "unset CUDA_PATH",
    } in findings


def test_a_wrong_option_of_the_simulator_is_an_error_that_names_it() -> None:
    environment = {"CUPRUM_DRIVER": "sim", "CUPRUM_SIM": "cc=8.1"}
    result = run("doctor", environment=environment)
    assert result.returncode == 1
    assert "CUPRUM_SIM: cc=8.1 is not valid, expected one of 7.5, 8.0" in result.stdout
    assert "CUPRUM_SIM: cc=8.1 is not valid" in run("info", environment=environment).stdout
    assert errors(run_json("doctor", environment=environment)) == {"simulator"}
