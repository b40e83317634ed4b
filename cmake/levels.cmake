# One program for each level of instructions of x86-64 (core/numbers/instruction_level.hpp), and `wattloop`, which becomes the one for the
# processor at hand (docs/decisions/0051). Its hot loops are compiled once for each level; all else, which is most, once and for any
# processor. Each program is linked apart, so that code of a higher level is in no program that may not use it.

set(WATTLOOP_LEVELS "v2;v3;v4" CACHE STRING "Levels of x86-64 instructions that have a program each; none: one program for any machine")
set(levels ${WATTLOOP_LEVELS})
if(WATTLOOP_NATIVE OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(levels "")
endif()

# What the program says of itself where it has no levels.
set(instructions portable)
if(WATTLOOP_NATIVE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -Q --help=target OUTPUT_VARIABLE answer ERROR_QUIET)
  string(REGEX MATCH "-march=[ \t]*([a-z0-9_.-]+)" found "${answer}")
  set(instructions "native:${CMAKE_MATCH_1}")
endif()
target_compile_definitions(wattloop_core PRIVATE WATTLOOP_INSTRUCTIONS="${instructions}")

# Loops over units, nodes and loads: all that is faster with wider vectors (docs/performance.md), with what it is linked against by types
# that hold vectors (core/numbers/lanes.hpp).
file(GLOB level_sources CONFIGURE_DEPENDS workload/*.cpp workload/burn_in/*.cpp workload/nodes/*.cpp workload/replay/*.cpp
  workload/training/*.cpp workload/work/*.cpp twin/units/*.cpp)
list(APPEND level_sources core/numbers/instruction_level.cpp electrical/power_tree.cpp electrical/supplies/psu_curve.cpp workload/queue/queued_work.cpp
  twin/actions/work/rack_loads.cpp twin/integration/units/unit_item.cpp twin/integration/units/unit_pass.cpp)
# Compiled together with a neighbour, they would come into the programs a second time.
set_source_files_properties(${level_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

file(RELATIVE_PATH to_libexec ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBEXECDIR}/wattloop)
file(RELATIVE_PATH from_libexec ${CMAKE_INSTALL_FULL_LIBEXECDIR}/wattloop ${CMAKE_INSTALL_FULL_BINDIR})
set_source_files_properties(twin/platform/program_files.cpp PROPERTIES
  COMPILE_DEFINITIONS "WATTLOOP_LIBEXEC=\"${to_libexec}\";WATTLOOP_FROM_LIBEXEC=\"${from_libexec}\"")
set_source_files_properties(viz/program/views_program.cpp PROPERTIES COMPILE_DEFINITIONS "WATTLOOP_LIBEXEC=\"${to_libexec}\"")

# Of all programs: without VTK, whose hundred libraries take half of a start.
add_library(wattloop_main OBJECT viz/program/main.cpp viz/program/views_program.cpp)
target_link_libraries(wattloop_main PRIVATE wattloop_headers_viz_program wattloop::twin CLI11::CLI11 wattloop_options)

function(wattloop_program name)
  add_executable(${name} $<TARGET_OBJECTS:wattloop_main>)
  target_link_libraries(${name} PRIVATE ${ARGN} wattloop::twin CLI11::CLI11 wattloop_options)
endfunction()

# Objects come before the libraries, whose members of the same names are then not asked for. What is compiled for any processor is v2.
function(wattloop_level level)
  set(objects wattloop_loops_${level})
  if(level STREQUAL "v2")
    set(level_sources core/numbers/instruction_level.cpp)
  endif()
  add_library(${objects} OBJECT ${level_sources})
  wattloop_position_independent(${objects})
  target_compile_definitions(${objects} PRIVATE WATTLOOP_INSTRUCTIONS="${level}")
  if(NOT level STREQUAL "v2")
    target_compile_options(${objects} PRIVATE -march=x86-64-${level} $<$<STREQUAL:${level},v4>:-mprefer-vector-width=512>)
  endif()
  target_link_libraries(${objects} PRIVATE wattloop_headers_twin wattloop_options fmt::fmt OpenMP::OpenMP_CXX Boost::headers)
  wattloop_program(wattloop_${level} ${objects})
endfunction()

if(levels)
  foreach(level IN LISTS levels)
    wattloop_level(${level})
  endforeach()
  add_executable(wattloop viz/program/launcher.cpp twin/platform/program_files.cpp core/numbers/instruction_level.cpp)
  target_compile_definitions(wattloop PRIVATE WATTLOOP_INSTRUCTIONS="launcher")
  target_link_options(wattloop PRIVATE -static-libstdc++ -static-libgcc)   # it starts and is gone
  target_link_libraries(wattloop PRIVATE wattloop_headers_viz_program wattloop_options)
  list(TRANSFORM levels PREPEND wattloop_ OUTPUT_VARIABLE level_programs)
  add_dependencies(wattloop ${level_programs})
else()
  wattloop_program(wattloop)
endif()
