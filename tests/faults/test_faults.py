#!/usr/bin/python3
"""scripts/faults: what it says of tests that fail, crash, hang or are skipped, and what its results are kept by."""
import fcntl
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/faults"
sys.path.insert(0, str(SCRIPT.parent))
LOADER = importlib.machinery.SourceFileLoader("faults", str(SCRIPT))
faults = importlib.util.module_from_spec(importlib.util.spec_from_loader("faults", LOADER))
LOADER.exec_module(faults)
import fault_lists  # stands beside the script

FAILED_LOG = "-" * 79 + "\na pump\n  that turns\n" + "-" * 79 + "\nFAILED\n"
FAULT = {"fault": "a sign", "place": "x.faults:3", "file": "a.cpp", "before": "-", "after": "+", "by": "unit [a]; views"}


class Planted:
    """A copy in which test programs end as they are told to."""

    def __init__(self, **ends):
        self.ends, self.log = ends, ""

    def plant(self, fault):
        pass

    def take_back(self):
        pass

    def build(self, kinds):
        return True

    def test(self, kind, wanted):
        code, self.log = self.ends[kind]
        return code

    def log_text(self):
        return self.log


def tried(**ends):
    result = faults.try_fault(Planted(**ends), FAULT)
    return result["how"], result["by"]


class Outcomes(unittest.TestCase):
    def test_an_assertion_finds_a_fault(self):
        self.assertEqual(tried(unit=(1, FAILED_LOG), views=(0, "")), ("failed", "unit: a pump that turns"))

    def test_a_skipped_test_finds_nothing_and_passes_nothing(self):
        skipped = (77, "skipped: one: no data\n1 test case skipped\n")
        self.assertEqual(tried(unit=skipped, views=(0, "")), ("skipped", "unit: one: no data"))
        self.assertEqual(tried(unit=skipped, views=(1, FAILED_LOG)), ("failed", "views: a pump that turns"))

    def test_crashes_and_hangs_are_apart(self):
        self.assertEqual(tried(unit=(-11, FAILED_LOG), views=(0, ""))[0], "crash")
        self.assertEqual(tried(unit=(0, ""), views=("timeout", "")), ("crash", "views: not over in time"))
        self.assertEqual(tried(unit=(1, "terminate called"), views=(0, ""))[0], "crash")

    def test_what_nobody_notices_is_not_found(self):
        self.assertEqual(tried(unit=(0, ""), views=(0, ""))[0], "passed")

    def test_exit_codes(self):
        known = {how: (FAULT, {"how": how, "by": "", "seconds": 0}) for how in faults.TOLD}
        with open(os.devnull, "w", encoding="utf-8") as sys.stdout:
            self.assertEqual(faults.report([known["failed"], known["crash"]], []), 0)
            self.assertEqual(faults.report([known["failed"], known["skipped"]], []), 1)
            self.assertEqual(faults.report([known["passed"]], []), 1)
            self.assertEqual(faults.report([], ["gone"]), 1)
        sys.stdout = sys.__stdout__


class Lists(unittest.TestCase):
    def test_who_should_notice_is_said_for_one_fault_or_for_all_below(self):
        text = "by: views\n" + "".join(
            f"{above}fault: {name}\n{own}file: a.cpp\nbefore: {name}\n" for name, above, own in
            (("a", "", ""), ("b", "", "by: cli\n"), ("c", "", ""), ("d", "by: unit [d]\n", ""), ("e", "", ""), ("f", "", "by: cases\n")))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.faults"
            path.write_text(text)
            said = [fault["by"] for fault in fault_lists.read_list(path)]
        self.assertEqual(said, ["views", "cli", "views", "unit [d]", "unit [d]", "cases"])


class Keys(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.source = pathlib.Path(self.folder.name)
        self.files = {"a.cpp": "code", "README.md": "page", "docs/read.md": "page", "docs/refs.bib": "sources",
                      "tests/unit/a.cpp": 'open("/docs/read.md")', "tests/views/a.cpp": "", "tests/faults/x.faults": "list"}
        saved = {name: os.environ.get(name) for name in ("CXX", "WATTLOOP_REFERENCE_DATA")}
        self.addCleanup(lambda: [os.environ.pop(n, None) if v is None else os.environ.update({n: v}) for n, v in saved.items()])
        os.environ.pop("WATTLOOP_REFERENCE_DATA", None)

    def key(self, by="unit [a]; views"):
        for name, text in self.files.items():
            path = self.source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return faults.Surroundings(sorted(self.files), self.source).hash_for(dict(FAULT, by=by))

    def changes(self, name, **options):
        before = self.key(**options)
        self.files[name] += " changed"
        return self.key(**options) != before

    def test_sources_matter_and_lists_of_faults_do_not(self):
        self.assertTrue(self.changes("a.cpp"))
        self.assertTrue(self.changes("docs/refs.bib"))
        self.assertFalse(self.changes("tests/faults/x.faults"))

    def test_pages_matter_to_those_who_read_them(self):
        self.assertFalse(self.changes("README.md"))
        self.assertTrue(self.changes("docs/read.md"))
        self.assertFalse(self.changes("docs/read.md", by="views"))
        self.assertTrue(self.changes("README.md", by="views; cli [x]"))

    def test_data_and_compiler_matter(self):
        before = self.key()
        os.environ["WATTLOOP_REFERENCE_DATA"] = "/somewhere"
        with_data = self.key()
        self.assertNotEqual(before, with_data)
        compiler = self.source / "compiler"
        compiler.write_text("#!/bin/sh\necho another 1.0\n")
        compiler.chmod(0o755)
        os.environ["CXX"] = str(compiler)
        self.assertNotEqual(with_data, self.key())


class Commands(unittest.TestCase):
    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True, check=False)

    def test_shards_that_are_none_are_refused(self):
        for text in ("0/4", "5/4", "1/0", "-1/4", "1", "a/b", "1/4/2"):
            self.assertEqual(self.run_script("--list", f"--shard={text}").returncode, 2, text)
        parts = [self.run_script("--list", "--shard", f"{part}/3").stdout.splitlines()[:-1] for part in (1, 2, 3)]
        whole = self.run_script("--list").stdout.splitlines()[:-1]
        self.assertEqual(sorted(sum(parts, [])), sorted(whole))
        self.assertTrue(whole)

    def test_a_folder_in_use_is_refused(self):
        with tempfile.TemporaryDirectory() as folder, open(pathlib.Path(folder) / "lock", "a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.run_script("--folder", folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is in use by another run", done.stderr)
            self.assertFalse((pathlib.Path(folder) / "src").exists())


if __name__ == "__main__":
    unittest.main()
