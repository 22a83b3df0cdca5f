"""What scripts/setup.sh does on a machine that lacks packages, with stand-ins for the machine."""

from __future__ import annotations

import pathlib
import subprocess

SETUP = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "setup.sh"

# `needs` are lines of "test|package"; the stand-in for apt-get only says how it was called.
SCRIPT = """
source {setup}
system_needs() {{ printf '%s\\n' {needs}; }}
id() {{ echo {user}; }}
sudo() {{ return 1; }}
apt-get() {{ echo "apt-get $*"; }}
env() {{ shift; "$@"; }}
install_system_packages </dev/null
"""


def install(user: int, *needs: str) -> subprocess.CompletedProcess[str]:
    script = SCRIPT.format(setup=SETUP, user=user, needs=" ".join(f"'{need}'" for need in needs))
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)


def test_nothing_is_installed_where_nothing_is_missing() -> None:
    result = install(0, "true|swig", "false || true|cmake")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_root_gets_the_missing_packages_and_no_others() -> None:
    result = install(0, "true|swig", "false|cmake ninja-build", "false || false|junit5")
    assert result.returncode == 0
    assert result.stdout.splitlines() == [
        "apt-get update -q",
        "apt-get install -y --no-install-recommends cmake ninja-build junit5",
    ]


def test_without_root_and_sudo_the_one_command_to_run_is_printed() -> None:
    result = install(1000, "false|cmake", "false|junit5")
    assert result.returncode == 1
    assert "sudo apt-get install -y --no-install-recommends cmake junit5" in result.stderr
    assert result.stdout == ""


def test_an_environment_behind_a_link_is_never_emptied(tmp_path: pathlib.Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "kept").write_text("")
    root = tmp_path / "root"
    (root / "scripts").mkdir(parents=True)
    (root / "scripts" / "requirements.txt").write_text("")
    (root / ".venv").symlink_to(shared)
    script = f"source {SETUP}; root={root}; base_python=$(find_python); install_python_environment"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert ".venv is a link" in result.stderr
    assert (shared / "kept").exists()
