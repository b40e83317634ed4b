# Wattloop for Spack (docs/packaging.md). A release writes its version with the sha256 of its archive beside the branch.
from spack.package import *


class Wattloop(CMakePackage):
    """Digital twin of a GPU training hall: from the utility feed to the chip, and out through the coolant to the sky."""

    # A release says where its archive is: `url`, and version("0.2.0", sha256="..."). Until then: spack develop, or spack dev-build.
    version("0.2.0")

    license("Apache-2.0")

    variant("views", default=False, description="Pictures and the export for ParaView")
    variant("python", default=True, description="The package for Python")
    variant("mpi", default=False, description="A launcher, mpirun, whose ranks share a study")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("zlib@1.2.13:")
    depends_on("fmt@9.1:")
    depends_on("cli11@2.1:")
    depends_on("yaml-cpp@0.7:")
    depends_on("nlohmann-json@3.11:")
    depends_on("boost@1.74:")
    depends_on("eigen@3.4:")
    depends_on("hdf5@1.10:+hl")
    depends_on("udunits@2.2.28:")
    depends_on("libdeflate@1.14:")
    depends_on("suite-sparse@5.12:")
    depends_on("sundials@6.4:7+cvode")
    depends_on("vtk@9.1:", when="+views")
    depends_on("mpi", type="run", when="+mpi")

    with when("+python"):
        extends("python")
        depends_on("python@3.9:", type=("build", "link", "run"))
        depends_on("py-pybind11@2.10:", type="build")
        depends_on("py-numpy", type=("build", "run"))

    generator("ninja")
    conflicts("%gcc@:11", msg="C++20 of GCC 12 or later")

    def cmake_args(self):
        args = [
            self.define_from_variant("WATTLOOP_VIEWS", "views"),
            self.define_from_variant("WATTLOOP_PYTHON", "python"),
            self.define("WATTLOOP_PACKAGE", True),
            self.define("WATTLOOP_TESTS", False),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("Python_EXECUTABLE", self.spec["python"].command.path))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", join_path(self.prefix.lib, "python3", "dist-packages"))
