"""Installs the Python package with the library and the hardware data in it: pip install . (docs/python.md).

WATTLOOP_BUILD=build/ci takes what is built there; without it CMake builds build/package first.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


def built():
    """The folder of a build that has library and extension module."""
    given = os.environ.get("WATTLOOP_BUILD")
    if given:
        if not (Path(given) / "cmake_install.cmake").is_file():
            raise SystemExit(f"WATTLOOP_BUILD: {given} is no folder that CMake has built in")
        return Path(given)
    subprocess.run(["cmake", "--preset", "package"], cwd=ROOT, check=True)
    folder = ROOT / "build/package"
    subprocess.run(["cmake", "--build", folder, "--target", "wattloop_library", "wattloop_python"], check=True)
    return folder


class BuildWithLibrary(build_py):
    """Places beside the modules: the extension module, lib/ with the library for each level of instructions, share/ with its data."""

    def run(self):
        super().run()
        target = Path(self.build_lib) / "wattloop"
        with tempfile.TemporaryDirectory() as folder:
            for component in ("library", "python"):
                subprocess.run(["cmake", "--install", built(), "--prefix", folder, "--component", component], check=True)
            module = next(Path(folder).glob("lib/python3/dist-packages/wattloop/_wattloop*.so"))
            shutil.copy(module, target)
            for library in Path(folder).rglob("libwattloop.so.0"):
                inside = library.relative_to(next(parent for parent in library.parents if parent.name != "glibc-hwcaps"
                                                  and not parent.name.startswith("x86-64-v")))
                place = target / "lib" / inside
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(library, place)
            shutil.copytree(Path(folder) / "share/wattloop", target / "share/wattloop", dirs_exist_ok=True)


class WithCode(Distribution):
    def has_ext_modules(self):
        return True


version = re.search(r"project\(wattloop VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
setup(
    version=version,
    packages=["wattloop"],
    package_dir={"": "python"},
    package_data={"wattloop": ["py.typed", "*.pyi"]},
    cmdclass={"build_py": BuildWithLibrary},
    distclass=WithCode,
)
