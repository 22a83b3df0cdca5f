"""Programs in the style of PyCUDA's documentation print what they print with PyCUDA."""

from __future__ import annotations

import pathlib
import runpy
import warnings

import pytest
from conftest import RunPython
from cuprum.compat.pycuda import _stand_in

PROGRAMS = pathlib.Path(__file__).parent / "programs"
FIVE_PROGRAMS = PROGRAMS.parents[2] / "data" / "programs" / "five_pycuda_programs.py"


@pytest.mark.parametrize("name", sorted(path.stem for path in PROGRAMS.glob("*.py")))
def test_a_program_prints_what_it_prints_with_pycuda(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    _stand_in.install()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runpy.run_path(str(PROGRAMS / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out == (PROGRAMS / f"{name}.out").read_text(encoding="utf-8")


def test_programs_run_with_their_imports_changed(run_python: RunPython, tmp_path: pathlib.Path) -> None:
    source = FIVE_PROGRAMS.read_text(encoding="utf-8")
    program = tmp_path / "five.py"
    program.write_text(
        source.replace("import pycuda.", "import cuprum.compat.pycuda.").replace(
            "from pycuda.", "from cuprum.compat.pycuda."
        )
    )
    assert "import pycuda" not in program.read_text()
    run_python(str(program))


def test_programs_run_as_they_are_under_the_runner(run_python: RunPython) -> None:
    run_python("-m", "cuprum.compat.pycuda", str(FIVE_PROGRAMS))


def test_the_runner_gives_a_program_its_arguments_its_folder_and_its_exit_status(
    run_python: RunPython, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "beside.py").write_text("import pycuda.driver as cuda\n")
    (tmp_path / "program.py").write_text(
        "import sys\nimport beside, pycuda.driver\nfrom pycuda import tools\nimport pycuda\n"
        "import cuprum.compat.pycuda.driver as ours\n"
        "print(sys.argv[1:], __name__, beside.cuda is pycuda.driver is ours, pycuda.VERSION)\nsys.exit(3)\n"
    )
    result = run_python("-m", "cuprum.compat.pycuda", str(tmp_path / "program.py"), "-x", "y", check=False)
    assert (result.returncode, result.stdout) == (3, "['-x', 'y'] __main__ True (2026, 1)\n")
    as_module = run_python("-m", "cuprum.compat.pycuda", "-m", "program", "z", check=False)
    assert (as_module.returncode, as_module.stdout) == (3, "['z'] __main__ True (2026, 1)\n")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-m"]])
def test_the_runner_says_how_it_is_called(arguments: list[str], run_python: RunPython) -> None:
    result = run_python("-m", "cuprum.compat.pycuda", *arguments, check=False)
    assert result.returncode != 0
    assert "usage: python -m cuprum.compat.pycuda [-m] PROGRAM" in result.stderr


def test_the_runner_names_a_program_that_is_not_there(run_python: RunPython) -> None:
    result = run_python("-m", "cuprum.compat.pycuda", "nowhere.py", check=False)
    assert "there is no program nowhere.py" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("pycuda.gl", "cuprum.core.GraphicsResource"),
        ("pycuda.sparse", "CuPy and PyTorch"),
        ("pycuda.nothing", "is not in"),
    ],
)
def test_a_module_that_is_not_there_is_named_with_the_reason(module: str, reason: str) -> None:
    import importlib

    _stand_in.install()
    with pytest.raises(ModuleNotFoundError, match=reason):
        importlib.import_module(module)
