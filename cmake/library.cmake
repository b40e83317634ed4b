# The library `libwattloop` (api/, docs/library.md): the same objects as the programs, names of `wattloop::v0` alone. Beside it one for each
# higher level of instructions, of which the loader takes the highest that the processor has.

file(GLOB api_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/api/engine/*.cpp ${CMAKE_SOURCE_DIR}/api/library/*.cpp)
set(WATTLOOP_INTERFACE 0)   # number of the inline namespace, and soname
set(exported ${CMAKE_CURRENT_SOURCE_DIR}/cmake/exported_names.map)

add_library(wattloop_api OBJECT ${api_sources})
wattloop_position_independent(wattloop_api)
target_include_directories(wattloop_api PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/api/include>)
wattloop_headers_of_folder(api twin)
target_link_libraries(wattloop_api PRIVATE wattloop_headers_api wattloop::twin wattloop_options)

# `objects`: those of a level of instructions; empty: as everything else is compiled.
function(wattloop_library target folder)
  add_library(${target} SHARED ${ARGN} $<TARGET_OBJECTS:wattloop_api>)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/api/include>)
  target_link_libraries(${target} PRIVATE wattloop::twin wattloop_options)
  target_link_options(${target} PRIVATE -Wl,--version-script=${exported} -Wl,--gc-sections $<$<NOT:$<BOOL:${WATTLOOP_SANITIZE}>>:-Wl,-z,defs>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME wattloop VERSION ${PROJECT_VERSION} SOVERSION ${WATTLOOP_INTERFACE}
    LINK_DEPENDS ${exported} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/${folder})
endfunction()

set(library_targets wattloop_library)
if(levels)
  wattloop_library(wattloop_library "" $<TARGET_OBJECTS:wattloop_loops_v2>)
  foreach(level IN LISTS WATTLOOP_LEVELS)
    if(NOT level STREQUAL "v2")
      wattloop_library(wattloop_library_${level} glibc-hwcaps/x86-64-${level} $<TARGET_OBJECTS:wattloop_loops_${level}>)
      add_dependencies(wattloop_library wattloop_library_${level})
    endif()
  endforeach()
else()
  wattloop_library(wattloop_library "")
endif()
set_target_properties(wattloop_library PROPERTIES EXPORT_NAME wattloop)
add_library(wattloop::wattloop ALIAS wattloop_library)

# Whoever builds against an installation.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/wattloop)
file(WRITE ${CMAKE_BINARY_DIR}/wattloopConfig.cmake "include(\${CMAKE_CURRENT_LIST_DIR}/wattloopTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/wattloopConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/wattloop.pc @ONLY CONTENT [[prefix=${pcfiledir}/../..
libdir=${pcfiledir}/..
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: wattloop
Description: Digital twin of a GPU training hall
Version: @PROJECT_VERSION@
Libs: -L${libdir} -lwattloop
Cflags: -I${includedir} -std=c++20
]])
install(TARGETS wattloop_library EXPORT wattloopTargets LIBRARY COMPONENT library NAMELINK_COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(level IN LISTS levels)
  if(TARGET wattloop_library_${level})
    install(TARGETS wattloop_library_${level} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/x86-64-${level} COMPONENT library NAMELINK_SKIP)
  endif()
endforeach()
install(EXPORT wattloopTargets NAMESPACE wattloop:: DESTINATION ${package_folder} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/wattloopConfig.cmake ${CMAKE_BINARY_DIR}/wattloopConfigVersion.cmake DESTINATION ${package_folder} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/wattloop.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/api/include/wattloop DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
