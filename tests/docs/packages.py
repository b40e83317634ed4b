"""Recipes, licence and list of parts of the packages say what the sources say."""

import fnmatch
import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
# Names of Spack and in docs/packaging.md of what CMake calls otherwise.
SPACK = {"CLI11": "cli11", "nlohmann_json": "nlohmann-json", "Boost": "boost", "Eigen3": "eigen", "VTK": "vtk", "HDF5": "hdf5", "ZLIB": "zlib",
         "udunits2": "udunits", "deflate": "libdeflate", "klu": "suite-sparse", "pybind11": "py-pybind11"}
NOT_IN_SPACK = {"Catch2"}  # it builds no tests


def text(name):
    return (SOURCE / name).read_text()


def least_versions():
    return dict(re.findall(r"^set\(WATTLOOP_LEAST_(\S+) ([0-9.]+)\)", text("cmake/least_versions.cmake"), re.M))


def recipe():
    """What packaging/spack/package.py says, through a stand-in for Spack that keeps it."""
    said = {"depends_on": [], "variant": [], "version": [], "license": [], "conflicts": []}
    stand_in = types.ModuleType("spack.package")

    class Within:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

    def keep(directive):
        return lambda *words, **options: said[directive].append((words, options))

    for directive in said:
        setattr(stand_in, directive, keep(directive))
    stand_in.when = lambda _: Within()
    stand_in.extends = stand_in.generator = lambda *_: None
    stand_in.join_path = os.path.join

    class CMakePackage:
        prefix = types.SimpleNamespace(lib="/lib")
        spec = type("Spec", (), {"satisfies": lambda self, _: True,
                                 "__getitem__": lambda self, _: types.SimpleNamespace(command=types.SimpleNamespace(path="/python"))})()

        def define(self, name, value):
            return (name, value)

        define_from_variant = define

    stand_in.CMakePackage = CMakePackage
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = stand_in
    loader = importlib.machinery.SourceFileLoader("recipe", str(SOURCE / "packaging/spack/package.py"))
    loaded = importlib.util.module_from_spec(importlib.util.spec_from_loader("recipe", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(loaded)
    return loaded.Wattloop(), said


class LeastVersions(unittest.TestCase):
    def test_cmake_asks_for_each(self):
        asked = text("cmake/dependencies.cmake") + text("cmake/python.cmake") + text("tests/CMakeLists.txt")
        least = least_versions()
        without = {"Threads", "OpenMP", "MPI"}  # of the compiler; which MPI it is, HDF5 says
        for name, version in re.findall(r"find_package\((\S+) (\S+)", asked):
            if name not in without:
                self.assertEqual(version, f"${{WATTLOOP_LEAST_{name}}}")
                self.assertIn(name, least)
        for name in re.findall(r"^wattloop_find_library\((\S+)", asked, re.M):
            self.assertIn(name, least)
        for name in least:
            self.assertRegex(asked, rf"find_package\({name} |wattloop_find_library\({name} ")

    def test_the_recipe_for_spack_has_the_same(self):
        _, said = recipe()
        specs = {re.match(r"[\w-]+", words[0]).group(): words[0] for words, _ in said["depends_on"]}
        for name, version in least_versions().items():
            if name in NOT_IN_SPACK:
                continue
            found = re.match(r"[\w-]+@([0-9.]+):", specs[SPACK.get(name, name)])
            self.assertIsNotNone(found, name)
            self.assertEqual(found.group(1), version, name)

    def test_the_page_has_the_same(self):
        rows = dict(re.findall(r"^\| `(\S+)` \| ([0-9.]+) \|", text("docs/packaging.md"), re.M))
        self.assertEqual(rows, least_versions())


class Spack(unittest.TestCase):
    def test_variants_and_options_are_those_of_cmake(self):
        package, said = recipe()
        self.assertEqual({words[0] for words, _ in said["variant"]}, {"views", "python", "mpi"})
        options = re.findall(r"^option\((WATTLOOP_\w+)", text("CMakeLists.txt"), re.M)
        for name, _ in package.cmake_args():
            self.assertIn(name, [*options, "Python_EXECUTABLE"])
        version = re.search(r"project\(wattloop VERSION ([0-9.]+)", text("CMakeLists.txt")).group(1)
        self.assertIn(version, [words[0] for words, _ in said["version"]])
        self.assertEqual(said["license"][0][0], ("Apache-2.0",))
        least_cmake = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", text("CMakeLists.txt")).group(1)
        self.assertIn(f"cmake@{least_cmake}:", [words[0] for words, _ in said["depends_on"]])


class Licence(unittest.TestCase):
    def paragraphs(self):
        parts = [dict(re.findall(r"^([\w-]+): (.*(?:\n .*)*)", part, re.M)) for part in text(".reuse/dep5").split("\n\n")]
        return parts[0], [part for part in parts[1:] if "Files" in part], [part for part in parts[1:] if "Files" not in part]

    def test_every_source_has_a_holder_and_a_licence_whose_text_is_there(self):
        head, files, licences = self.paragraphs()
        self.assertTrue(head["Format"].endswith("copyright-format/1.0/"))
        self.assertTrue(files)
        texts = {part["License"].splitlines()[0] for part in licences}
        sources = self.sources()
        self.assertGreater(len(sources), 1000)
        for source in sources:
            fitting = [part for part in files if any(fnmatch.fnmatch(source, pattern) for pattern in part["Files"].split())]
            self.assertTrue(fitting, source)
            self.assertRegex(fitting[-1]["Copyright"], r"^\d{4}.* \w+", source)
            self.assertIn(fitting[-1]["License"], texts, source)
            self.assertTrue((SOURCE / "LICENSES" / f"{fitting[-1]['License']}.txt").is_file(), source)

    def sources(self):
        found = []
        for folder, folders, names in os.walk(SOURCE):
            folders[:] = [name for name in folders if name not in (".git", "build")]
            found += [os.path.relpath(os.path.join(folder, name), SOURCE) for name in names]
        return found

    def test_the_holder_is_that_of_the_licence(self):
        _, files, _ = self.paragraphs()
        self.assertIn(f"Copyright {files[0]['Copyright']}", text("LICENSE"))
        self.assertEqual(text("LICENSES/Apache-2.0.txt"), text("LICENSE"))


class Bill(unittest.TestCase):
    """scripts/sbom against the form of CycloneDX 1.5, and against scripts/deps as it is written."""

    def bill(self):
        return json.loads(subprocess.run([SOURCE / "scripts/sbom"], check=True, capture_output=True, text=True).stdout)

    def test_form(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("without python3-jsonschema")
        named = {"type": "object", "required": ["type", "name", "bom-ref"],
                 "properties": {"type": {"enum": ["application", "library"]}, "name": {"type": "string", "minLength": 1},
                                "version": {"type": "string"}, "scope": {"enum": ["required", "optional", "excluded"]},
                                "purl": {"pattern": r"^pkg:deb/debian/[a-z0-9%B.-]+(@[A-Za-z0-9.%~+-]+)?$"}}}
        jsonschema.validate(self.bill(), {
            "type": "object", "required": ["bomFormat", "specVersion", "serialNumber", "version", "metadata", "components"],
            "additionalProperties": False,
            "properties": {"bomFormat": {"const": "CycloneDX"}, "specVersion": {"const": "1.5"}, "version": {"const": 1},
                           "serialNumber": {"pattern": "^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"},
                           "metadata": {"type": "object", "required": ["component"], "properties": {"component": named}},
                           "components": {"type": "array", "minItems": 1, "uniqueItems": True, "items": named},
                           "dependencies": {"type": "array", "items": {"type": "object", "required": ["ref"]}}}})
        bill = self.bill()
        references = [one["bom-ref"] for one in bill["components"]]
        self.assertEqual(len(references), len(set(references)))
        for dependency in bill["dependencies"]:
            self.assertLessEqual(set(dependency["dependsOn"]), set(references))

    def test_every_package_of_deps_is_in_it_once(self):
        written = set()
        for group in re.findall(r"^\w+=\(((?:[^()]|\n)*?)\)", text("scripts/deps").split("fail()")[0], re.M):
            for line in group.splitlines():
                written |= {word for word in line.split("#")[0].split() if not word.startswith('"')}
        names = [one["name"] for one in self.bill()["components"]]
        self.assertEqual(sorted(names), sorted(written))

    def test_equal_packages_give_equal_bytes(self):
        one, other = (subprocess.run([SOURCE / "scripts/sbom"], check=True, capture_output=True).stdout for _ in range(2))
        self.assertEqual(one, other)


class Hardening(unittest.TestCase):
    FLAGS = ["-O2", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong", "-fPIE", "-pie", "-Wl,-z,relro", "-Wl,-z,now"]
    PROGRAM = '#include <stdio.h>\n#include <string.h>\nint main(int n, char** w) { char t[8]; strcpy(t, w[n - 1]); printf("%s", t); }\n'

    def check(self, *flags):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            subprocess.run(["cc", "-x", "c", "-", "-o", program, *flags], input=self.PROGRAM, text=True, check=True, capture_output=True)
            done = subprocess.run([SOURCE / "scripts/check_hardening", program], capture_output=True, text=True)
            return done.returncode, done.stdout

    def test_each_missing_flag_is_named(self):
        self.assertEqual(self.check(*self.FLAGS)[0], 0, self.check(*self.FLAGS)[1])
        for flag, instead, what in (("-pie", ["-no-pie", "-fno-pie"], "position independent"), ("-Wl,-z,relro", ["-Wl,-z,norelro"], "read-only relocations"),
                                    ("-Wl,-z,now", ["-Wl,-z,lazy"], "bound at start"),
                                    ("-fstack-protector-strong", ["-fno-stack-protector"], "stack protector"),
                                    ("-D_FORTIFY_SOURCE=2", [], "fortified calls")):
            code, said = self.check(*[one for one in self.FLAGS if one != flag], *instead)
            self.assertEqual(code, 1)
            self.assertIn(what, said)

    def test_they_are_those_of_packages(self):
        asked = text("cmake/package.cmake")
        for flag in self.FLAGS[1:]:
            self.assertIn(flag, asked)

    def test_what_is_built(self):
        if not (SOURCE / "build/package/wattloop").is_file():
            self.skipTest("build/package is not built: scripts/package builds and checks it")
        done = subprocess.run([SOURCE / "scripts/check_hardening"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
