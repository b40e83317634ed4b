# Third parties, each behind an imported target. Packages: scripts/deps.

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED)   # headers only: Boost.Graph, Boost.Math
find_package(Eigen3 3.4 REQUIRED NO_MODULE)   # headers only: least squares, Fourier transforms

# VTK: boxes and pipes drawn off-screen, 2D charts beside them, PNG out. Linked by viz alone.
if(WATTLOOP_VIEWS)
  find_package(VTK REQUIRED COMPONENTS
    CommonColor CommonCore CommonDataModel CommonTransforms FiltersCore FiltersGeneral FiltersSources IOImage
    RenderingCore RenderingOpenGL2 RenderingFreeType RenderingAnnotation RenderingUI InteractionStyle
    RenderingContext2D RenderingContextOpenGL2 ChartsCore ViewsContext2D)
endif()

set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C HL)
if(HDF5_IS_PARALLEL)
  message(FATAL_ERROR "Wattloop needs the serial HDF5 (libhdf5-dev), the MPI one was found")
endif()

# Libraries without a CMake package.
function(wattloop_find_library target header)
  cmake_parse_arguments(ARG "" "INCLUDE_FOLDER" "" ${ARGN})
  find_path(${target}_include ${header} PATH_SUFFIXES "${ARG_INCLUDE_FOLDER}" REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_include})
  foreach(name IN LISTS ARG_UNPARSED_ARGUMENTS)
    find_library(${target}_${name} ${name} REQUIRED)
    target_link_libraries(${target} INTERFACE ${${target}_${name}})
  endforeach()
  mark_as_advanced(${target}_include)
endfunction()

wattloop_find_library(udunits2 udunits2.h udunits2)
wattloop_find_library(deflate libdeflate.h deflate)
find_package(ZLIB REQUIRED)
wattloop_find_library(klu klu.h klu amd colamd btf suitesparseconfig INCLUDE_FOLDER suitesparse)
wattloop_find_library(sundials cvode/cvode.h
  sundials_cvode sundials_nvecserial sundials_sunmatrixsparse sundials_sunlinsolklu)
