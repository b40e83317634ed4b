"""`pip install .` makes a package that has all it needs: library for each level of instructions, hardware data, types."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["PYTHONPATH"].split(os.pathsep)[0]).parent

PROGRAM = """
import sys
from pathlib import Path
import wattloop as wl
package = Path(wl.__file__).parent
assert str(package).startswith(sys.argv[1]), package
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libwattloop" in line}
assert all(name.startswith(sys.argv[1]) for name in loaded) and loaded, loaded
scenario = Path(sys.argv[1]) / "mine.yaml"
scenario.write_text((package / "share/wattloop/one_rack.yaml").read_text())
hall = wl.Hall(scenario, set={"duration": "1 min"})
hall.advance()
print(hall.summary["peak_die_temperature"])
"""


class Install(unittest.TestCase):
    def test_an_installed_package_runs_a_hall(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "WATTLOOP_BUILD": str(BUILD)}
            words = ["install", "-q", "--no-build-isolation", "--no-deps", "--no-index", "--target", folder, str(ROOT)]
            done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True, env=environment)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            environment = {**os.environ, "PYTHONPATH": folder}
            done = subprocess.run([sys.executable, "-c", PROGRAM, folder], capture_output=True, text=True, env=environment, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(float(done.stdout), 300.0)


if __name__ == "__main__":
    try:
        import pip as _  # noqa: F401
        import wheel as _wheel  # noqa: F401
    except ImportError:
        print("without pip (Debian: python3-pip, python3-setuptools, python3-wheel)")
        sys.exit(77)
    unittest.main()
