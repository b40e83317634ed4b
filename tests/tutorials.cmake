# What docs/tutorials/ tell readers to write is written to a folder of the build, compiled, and run: a program `wattloop` with all that the
# pages add, for the commands that they show, and a program of their tests. Headers of this folder come before those of the sources.

set(tutorials ${CMAKE_BINARY_DIR}/tutorials)
set(tutorial_tool /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/docs/tutorial.py)
set(tutorial_names add_a_part add_a_workload_kind add_a_control_sequence add_a_figure_of_the_summary)
list(TRANSFORM tutorial_names PREPEND ${CMAKE_SOURCE_DIR}/docs/tutorials/ OUTPUT_VARIABLE tutorial_pages)
list(TRANSFORM tutorial_pages APPEND .md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tutorial_pages} ${CMAKE_CURRENT_SOURCE_DIR}/docs/tutorial.py)
execute_process(COMMAND ${tutorial_tool} --list ${tutorial_pages} OUTPUT_VARIABLE named COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" named "${named}")

set(written "")
set(changed "")
set(tutorial_tests unit/run/summary_figures.cpp)   # which asks for every figure
set(readers ${WATTLOOP_READERS_OF_KINDS})
list(TRANSFORM readers PREPEND ${CMAKE_SOURCE_DIR}/)
foreach(file IN LISTS named)
  list(APPEND written ${tutorials}/${file})
  if(EXISTS ${CMAKE_SOURCE_DIR}/${file})
    list(APPEND changed ${CMAKE_SOURCE_DIR}/${file})
  endif()
  if(file MATCHES "^tests/.*\\.cpp$")
    list(APPEND tutorial_tests ${tutorials}/${file})
  elseif(file MATCHES "\\.cpp$")
    list(REMOVE_ITEM readers ${CMAKE_SOURCE_DIR}/${file})
    list(APPEND readers ${tutorials}/${file})
  endif()
endforeach()
add_custom_command(OUTPUT ${written} COMMAND ${tutorial_tool} ${tutorials} ${tutorial_pages}
  DEPENDS ${tutorial_pages} ${changed} ${CMAKE_CURRENT_SOURCE_DIR}/docs/tutorial.py COMMENT "Writing what tutorials tell to write" VERBATIM)
add_custom_target(tutorial_files DEPENDS ${written})

# Objects come before the libraries, whose members of the same names are then not asked for.
add_library(tutorial_kinds OBJECT ${readers})
add_dependencies(tutorial_kinds tutorial_files)
target_include_directories(tutorial_kinds BEFORE PRIVATE ${tutorials})
target_link_libraries(tutorial_kinds PRIVATE wattloop::twin wattloop_options)

wattloop_program(wattloop_of_tutorials tutorial_kinds)
set_target_properties(wattloop_of_tutorials PROPERTIES OUTPUT_NAME wattloop RUNTIME_OUTPUT_DIRECTORY ${tutorials}/bin)

add_executable(test_tutorials ${tutorial_tests})
add_dependencies(test_tutorials tutorial_files)
target_include_directories(test_tutorials BEFORE PRIVATE ${tutorials})
target_link_libraries(test_tutorials PRIVATE tutorial_kinds test_support wattloop_options)
target_precompile_headers(test_tutorials REUSE_FROM test_main)
catch_discover_tests(test_tutorials TEST_PREFIX "tutorials: " PROPERTIES TIMEOUT 300 LABELS docs)

foreach(page IN LISTS tutorial_names)
  add_test(NAME "docs: what docs/tutorials/${page}.md tells to type does what it shows"
    COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/docs/follow.py $<TARGET_FILE:wattloop_of_tutorials> docs/tutorials/${page}.md)
  set_tests_properties("docs: what docs/tutorials/${page}.md tells to type does what it shows" PROPERTIES
    LABELS docs SKIP_RETURN_CODE 77 TIMEOUT 300)
endforeach()
if(WATTLOOP_CLANG_FORMAT)
  add_test(NAME "docs: code of tutorials is laid out as .clang-format says"
    COMMAND ${WATTLOOP_CLANG_FORMAT} --dry-run -Werror --style=file:${CMAKE_SOURCE_DIR}/.clang-format ${written})
  set_tests_properties("docs: code of tutorials is laid out as .clang-format says" PROPERTIES LABELS docs)
endif()
