"""Every example of docs/python.md runs, and is no longer than it may be."""

import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)


class Examples(unittest.TestCase):
    def test_there_are_ten_at_least_of_ten_lines(self):
        self.assertGreaterEqual(len(EXAMPLES), 10)
        for example in EXAMPLES:
            self.assertLessEqual(len(example.splitlines()), 11, example)

    def test_they_run(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "scenarios").symlink_to(ROOT / "scenarios")
            os.chdir(folder)
            for example in EXAMPLES:
                with self.subTest(example):
                    exec(compile(example, "docs/python.md", "exec"), {})
            os.chdir(ROOT)


if __name__ == "__main__":
    unittest.main()
