# Third parties, each behind an imported target. Packages: scripts/deps.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED)
find_package(VTK REQUIRED COMPONENTS
  CommonCore CommonDataModel CommonTransforms FiltersSources FiltersCore FiltersGeneral IOImage
  RenderingCore RenderingOpenGL2 RenderingFreeType RenderingAnnotation
  RenderingContext2D RenderingContextOpenGL2 ChartsCore ViewsContext2D)

set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C HL)
if(HDF5_IS_PARALLEL)
  message(FATAL_ERROR "Wattloop needs the serial HDF5 (libhdf5-dev), the MPI one was found")
endif()

find_path(UDUNITS2_INCLUDE udunits2.h REQUIRED)
find_library(UDUNITS2_LIBRARY udunits2 REQUIRED)
add_library(udunits2 INTERFACE)
target_include_directories(udunits2 SYSTEM INTERFACE ${UDUNITS2_INCLUDE})
target_link_libraries(udunits2 INTERFACE ${UDUNITS2_LIBRARY})

find_path(KLU_INCLUDE klu.h PATH_SUFFIXES suitesparse REQUIRED)
add_library(klu INTERFACE)
target_include_directories(klu SYSTEM INTERFACE ${KLU_INCLUDE})
target_link_libraries(klu INTERFACE klu amd colamd btf suitesparseconfig)

add_library(sundials INTERFACE)
target_link_libraries(sundials INTERFACE
  sundials_cvode sundials_nvecserial sundials_sunmatrixsparse sundials_sunlinsolklu)
