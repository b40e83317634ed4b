# One program for each level of instructions of x86-64 (core/instruction_level.hpp), and `wattloop`, which becomes the one for the
# processor at hand (docs/decisions/0051). The simulation is compiled once for each level; all else, which is most, once and for the
# lowest. Each program is linked apart, so that code of a higher level is in no program that may not use it.

set(WATTLOOP_LEVELS "v2;v3;v4" CACHE STRING "Levels of x86-64 instructions that have a program each; none: one program for any machine")
set(levels ${WATTLOOP_LEVELS})
if(WATTLOOP_NATIVE OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(levels "")
endif()

# What the program says of itself where it has no levels.
set(instructions portable)
if(WATTLOOP_NATIVE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -Q --help=target OUTPUT_VARIABLE answer ERROR_QUIET)
  string(REGEX MATCH "-march= *([a-z0-9_-]+)" found "${answer}")
  set(instructions "native:${CMAKE_MATCH_1}")
endif()
target_compile_definitions(wattloop_core PRIVATE WATTLOOP_INSTRUCTIONS="${instructions}")

# Everything that runs while time does, and what it includes.
set(simulation core electrical network physics workload twin/actions twin/integration twin/parts twin/plant twin/run twin/units)
list(TRANSFORM simulation PREPEND ${CMAKE_SOURCE_DIR}/)
list(TRANSFORM simulation APPEND /*.cpp)
file(GLOB_RECURSE simulation_sources CONFIGURE_DEPENDS ${simulation})

file(RELATIVE_PATH to_libexec ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBEXECDIR}/wattloop)
file(RELATIVE_PATH from_libexec ${CMAKE_INSTALL_FULL_LIBEXECDIR}/wattloop ${CMAKE_INSTALL_FULL_BINDIR})
set_source_files_properties(twin/results/program_files.cpp PROPERTIES
  COMPILE_DEFINITIONS "WATTLOOP_LIBEXEC=\"${to_libexec}\";WATTLOOP_FROM_LIBEXEC=\"${from_libexec}\"")
set_source_files_properties(viz/program/views_program.cpp PROPERTIES COMPILE_DEFINITIONS "WATTLOOP_LIBEXEC=\"${to_libexec}\"")

function(wattloop_program name)
  add_executable(${name} viz/program/main.cpp viz/program/views_program.cpp)   # without VTK, whose hundred libraries take half of a start
  target_link_libraries(${name} PRIVATE ${ARGN} wattloop::twin CLI11::CLI11 wattloop_options)
endfunction()

# Objects come before the libraries, whose members of the same names are then not asked for.
function(wattloop_level level)
  set(objects wattloop_simulation_${level})
  add_library(${objects} OBJECT ${simulation_sources})
  target_include_directories(${objects} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${objects} PRIVATE WATTLOOP_INSTRUCTIONS="${level}")
  target_compile_options(${objects} PRIVATE -march=x86-64-${level} $<$<STREQUAL:${level},v4>:-mprefer-vector-width=512>)
  target_link_libraries(${objects} PRIVATE wattloop_options fmt::fmt OpenMP::OpenMP_CXX udunits2 yaml-cpp sundials klu deflate ZLIB::ZLIB
    hdf5::hdf5 hdf5::hdf5_hl nlohmann_json::nlohmann_json Boost::headers Threads::Threads)
  wattloop_program(wattloop_${level} ${objects})
endfunction()

if(levels)
  foreach(level IN LISTS levels)
    wattloop_level(${level})
  endforeach()
  add_executable(wattloop viz/program/launcher.cpp twin/results/program_files.cpp core/instruction_level.cpp)
  target_include_directories(wattloop PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(wattloop PRIVATE WATTLOOP_INSTRUCTIONS="launcher")
  target_link_options(wattloop PRIVATE -static-libstdc++ -static-libgcc)   # it starts and is gone
  target_link_libraries(wattloop PRIVATE wattloop_options)
  list(TRANSFORM levels PREPEND wattloop_ OUTPUT_VARIABLE level_programs)
  add_dependencies(wattloop ${level_programs})
else()
  wattloop_program(wattloop)
endif()
