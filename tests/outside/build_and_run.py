"""Installs the library, builds a program of somebody else against it by CMake and by pkg-config, with each compiler that is here, and runs it.

Usage: build_and_run.py BUILD_FOLDER SCENARIO
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).parent
build, scenario = Path(sys.argv[1]), Path(sys.argv[2])


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    root = Path(folder) / "root"
    for component in ("library", "development"):
        run("cmake", "--install", build, "--prefix", root, "--component", component)
    library = next(root.glob("lib*/**/libwattloop.so.0"))
    soname = re.search(r"SONAME\s+(\S+)", run("objdump", "-p", library)).group(1)
    if soname != "libwattloop.so.0":
        sys.exit(f"soname {soname}")
    for file in root.glob("lib*/**/libwattloop.so.0"):
        names = run("nm", "-D", "--defined-only", "--demangle", file).splitlines()
        others = [name for name in names if not re.search(r"wattloop::v0::|wattloop::(?=\w+\[abi)| T wattloop_\w+$", name)]
        if others or len(names) < 30:
            sys.exit(f"{file.name} has {len(names)} names, among them\n" + "\n".join(others[:20]))
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library.parent)}
    answers = set()
    for compiler in filter(shutil.which, ("g++", "clang++")):
        made = Path(folder) / compiler
        run("cmake", "-S", here, "-B", made, f"-DCMAKE_PREFIX_PATH={root}", f"-DCMAKE_CXX_COMPILER={compiler}")
        run("cmake", "--build", made)
        answers.add(run(made / "outside", scenario, env=environment))
    flags = [f"-I{root}/include", f"-L{library.parent}", "-lwattloop"]
    warnings = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
    for compiler in filter(shutil.which, ("gcc", "clang")):
        program = Path(folder) / f"by_{compiler}"
        run(compiler, *warnings, here / "main.c", "-o", program, *flags)
        answers.add(run(program, scenario, env=environment))
    page = (here.parents[1] / "docs/library.md").read_text()
    include, _, lines = re.search(r"```cpp\n(.*?)```", page, re.S).group(1).partition("\n")
    (Path(folder) / "page.cpp").write_text(f"{include}\nint main() {{\n{lines}}}\n")
    flags = [f"-I{root}/include", f"-L{library.parent}", "-lwattloop", "-std=c++20"]
    run("g++", Path(folder) / "page.cpp", "-o", Path(folder) / "page", *flags)
    run(Path(folder) / "page", env=environment, cwd=here.parents[1])
    if shutil.which("pkg-config"):
        flags = run("pkg-config", "--cflags", "--libs", "wattloop", env={**os.environ, "PKG_CONFIG_PATH": str(library.parent / "pkgconfig")})
        program = Path(folder) / "by_pkg_config"
        run("g++", here / "main.cpp", "-o", program, *flags.split())
        answers.add(run(program, scenario, env=environment))
    if len(answers) != 1 or float(answers.pop()) < 0.5:
        sys.exit("the programs do not agree that a die without a pump is warmer")
