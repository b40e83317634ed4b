# Third parties, each behind an imported target. Packages: scripts/deps.
include(cmake/least_versions.cmake)

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt ${WATTLOOP_LEAST_fmt} REQUIRED)
find_package(CLI11 ${WATTLOOP_LEAST_CLI11} REQUIRED)
find_package(yaml-cpp ${WATTLOOP_LEAST_yaml-cpp} REQUIRED)
find_package(nlohmann_json ${WATTLOOP_LEAST_nlohmann_json} REQUIRED)
find_package(Boost ${WATTLOOP_LEAST_Boost} REQUIRED)   # headers only: Boost.Graph, Boost.Math
find_package(Eigen3 ${WATTLOOP_LEAST_Eigen3} REQUIRED NO_MODULE)   # headers only: least squares, Fourier transforms

# VTK: boxes and pipes drawn off-screen, 2D charts beside them, PNG out. Linked by viz alone.
if(WATTLOOP_VIEWS)
  find_package(VTK ${WATTLOOP_LEAST_VTK} REQUIRED COMPONENTS
    CommonColor CommonCore CommonDataModel CommonTransforms FiltersCore FiltersGeneral FiltersSources IOImage
    RenderingCore RenderingOpenGL2 RenderingFreeType RenderingAnnotation RenderingUI InteractionStyle
    RenderingContext2D RenderingContextOpenGL2 ChartsCore ViewsContext2D)
endif()

set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 ${WATTLOOP_LEAST_HDF5} REQUIRED COMPONENTS C HL)
if(HDF5_IS_PARALLEL)   # its headers need those of MPI; Wattloop calls what the serial one has
  find_package(MPI REQUIRED COMPONENTS C)
  target_link_libraries(hdf5::hdf5 INTERFACE MPI::MPI_C)
endif()

# Libraries without a CMake package. `VERSION`: a header that has it, and a pattern of each of its numbers.
function(wattloop_find_library target header)
  cmake_parse_arguments(ARG "" "INCLUDE_FOLDER" "VERSION" ${ARGN})
  find_path(${target}_include ${header} PATH_SUFFIXES "${ARG_INCLUDE_FOLDER}" REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_include})
  foreach(name IN LISTS ARG_UNPARSED_ARGUMENTS)
    find_library(${target}_${name} ${name} REQUIRED)
    target_link_libraries(${target} INTERFACE ${${target}_${name}})
  endforeach()
  mark_as_advanced(${target}_include)
  if(ARG_VERSION)
    list(POP_FRONT ARG_VERSION file)
    file(READ ${${target}_include}/${file} text)
    set(numbers)
    foreach(name IN LISTS ARG_VERSION)
      string(REGEX MATCH "#define[ \t]+${name}[ \t]+([0-9]+)" found "${text}")
      list(APPEND numbers "${CMAKE_MATCH_1}")
    endforeach()
    list(JOIN numbers . version)
    if(version VERSION_LESS WATTLOOP_LEAST_${target})
      message(FATAL_ERROR "${${target}_include}/${file} is of version ${version}, Wattloop needs ${WATTLOOP_LEAST_${target}} (cmake/least_versions.cmake)")
    endif()
    set(${target}_version ${version} PARENT_SCOPE)
  endif()
endfunction()

wattloop_find_library(udunits2 udunits2.h udunits2)   # its header has no version
wattloop_find_library(deflate libdeflate.h deflate VERSION libdeflate.h LIBDEFLATE_VERSION_MAJOR LIBDEFLATE_VERSION_MINOR)
find_package(ZLIB ${WATTLOOP_LEAST_ZLIB} REQUIRED)
wattloop_find_library(klu klu.h klu amd colamd btf suitesparseconfig INCLUDE_FOLDER suitesparse
  VERSION SuiteSparse_config.h SUITESPARSE_MAIN_VERSION SUITESPARSE_SUB_VERSION)
list(APPEND CMAKE_PREFIX_PATH ${CMAKE_SOURCE_DIR}/build/sundials)   # where scripts/deps unpacks headers
wattloop_find_library(sundials cvode/cvode.h
  sundials_cvode sundials_nvecserial sundials_sunmatrixsparse
  VERSION sundials/sundials_config.h SUNDIALS_VERSION_MAJOR SUNDIALS_VERSION_MINOR)
if(sundials_version VERSION_GREATER_EQUAL 7)   # what was in each of its libraries has one of its own
  find_library(sundials_core sundials_core REQUIRED)
  target_link_libraries(sundials INTERFACE ${sundials_core})
endif()
