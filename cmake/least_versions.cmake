# The least versions of the libraries, stated here alone: those that the tests run with (Debian 12). CMake asks for them, and
# packaging/spack/package.py and docs/packaging.md repeat them; a test compares these.
set(WATTLOOP_LEAST_fmt 9.1)
set(WATTLOOP_LEAST_CLI11 2.1)
set(WATTLOOP_LEAST_yaml-cpp 0.7)
set(WATTLOOP_LEAST_nlohmann_json 3.11)
set(WATTLOOP_LEAST_Boost 1.74)
set(WATTLOOP_LEAST_Eigen3 3.4)
set(WATTLOOP_LEAST_VTK 9.1)
set(WATTLOOP_LEAST_HDF5 1.10)
set(WATTLOOP_LEAST_ZLIB 1.2.13)
set(WATTLOOP_LEAST_udunits2 2.2.28)
set(WATTLOOP_LEAST_deflate 1.14)
set(WATTLOOP_LEAST_klu 5.12)        # of SuiteSparse
set(WATTLOOP_LEAST_sundials 6.4)
set(WATTLOOP_LEAST_pybind11 2.10)
set(WATTLOOP_LEAST_Catch2 2.13)
