# Target header_check: every header compiles by itself, with nothing but what its room may use and fmt in reach of its includes.

function(wattloop_header_check)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${folder}/*.hpp)
    foreach(header IN LISTS headers)
      string(REPLACE "/" "_" name ${header})
      set(source ${CMAKE_BINARY_DIR}/header_check/${name}.cpp)
      file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n" @ONLY)
      list(APPEND sources ${source})
      wattloop_headers_for(target ${header})
      set_source_files_properties(${source} PROPERTIES INCLUDE_DIRECTORIES "$<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>")
    endforeach()
  endforeach()
  list(FILTER sources EXCLUDE REGEX "twin_results_hdf5_hdf5_file|twin_integration_core_integrator_")   # may show their third party
  add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(header_check PRIVATE OpenMP::OpenMP_CXX wattloop_options)
  target_compile_options(header_check PRIVATE -O0 -g0)
  add_test(NAME "architecture:every header compiles by itself"
    COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target header_check)
  set_tests_properties("architecture:every header compiles by itself" PROPERTIES LABELS architecture TIMEOUT 600)
endfunction()
