# WATTLOOP_COMMIT: the commit that is built, for the provenance of results; configured anew when another is checked out.
# `git archive` writes the commit into the next line (.gitattributes), so that sources from a tarball know theirs.

set(WATTLOOP_COMMIT "$Format:%h$")
if(NOT WATTLOOP_COMMIT MATCHES "^[0-9a-f]+$")
  set(WATTLOOP_COMMIT unknown)
  find_package(Git QUIET)
endif()
if(WATTLOOP_COMMIT STREQUAL "unknown" AND GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --git-path logs/HEAD --short HEAD
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0 AND answer MATCHES "^(.+)\n([0-9a-f]+)$")
    set(WATTLOOP_COMMIT ${CMAKE_MATCH_2})
    get_filename_component(log ${CMAKE_MATCH_1} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
    if(EXISTS ${log})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
    endif()
  endif()
endif()
