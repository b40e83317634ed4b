"""Types of the package are whole, those of its examples too, and the stub of the extension module says what the module has."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]
MODULE = os.environ["PYTHONPATH"].split(os.pathsep)[0]
CONFIG = PYTHON / "mypy.ini"


def mypy(*words, cache, program="mypy"):
    """`cache`: a folder that may be written to; stubtest has its own in the folder where it runs."""
    environment = {**os.environ, "MYPYPATH": MODULE, "MYPY_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-m", program, *map(str, words)], capture_output=True, text=True, env=environment,
                          cwd=cache)
    return done.returncode, done.stdout + done.stderr


class Types(unittest.TestCase):
    def test_package_and_examples_are_strict(self):
        page = (PYTHON.parent / "docs/python.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            for number, example in enumerate(re.findall(r"```python\n(.*?)```", page, re.S)):
                (Path(folder) / f"example_{number}.py").write_text(example)
            files = sorted(Path(folder).glob("*.py"))
            self.assertGreaterEqual(len(files), 10)
            code, text = mypy("--config-file", CONFIG, PYTHON / "wattloop", *files, cache=Path(folder))
        self.assertEqual(code, 0, text)

    def test_the_stub_has_what_the_module_has(self):
        with tempfile.TemporaryDirectory() as folder:
            code, text = mypy("wattloop._wattloop", "--mypy-config-file", CONFIG, "--allowlist", PYTHON / "stubtest_allowed.txt",
                              "--ignore-unused-allowlist", cache=Path(folder), program="mypy.stubtest")
        self.assertEqual(code, 0, text)


if __name__ == "__main__":
    try:
        import mypy as _  # noqa: F401
    except ImportError:
        print("without mypy (Debian: mypy)")
        sys.exit(77)
    unittest.main()
