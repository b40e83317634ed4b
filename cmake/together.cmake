# Files of a room compiled together, at most ten at once: more than half of the time of a file goes into headers and templates that its
# neighbours need as well (docs/decisions/0055-files-of-a-room-compiled-together.md).
#
# What a file keeps to itself, in its unnamed namespace, would be seen by the files that follow it. So no two files that declare the same name
# at the beginning of a line stand together, unless it is the same alias, and none that use other namespaces;
# the rest is the compiler's to refuse. A file with options or definitions of its own, or with headers of the system, stays alone.

set(WATTLOOP_MOST_TOGETHER 10)

# Rooms that read, write and report, whose time is not in loops: most optimisation takes a third of the time of their compilation and gains nothing.
set(WATTLOOP_ROOMS_WITHOUT_LOOPS "^twin/(commands|comparison|clusters|drawings|imports|report|scenario|search|study)$")

# What a source declares: pairs NAME=TEXT, where the same pair may be there twice.
function(wattloop_declared result source)
  file(READ ${source} text)
  string(REGEX REPLACE "[][;]" " " text "\n${text}")
  set(pairs "")
  string(REGEX MATCHALL "\nusing [A-Za-z_]+ = [^\n]+" aliases "${text}")
  foreach(alias IN LISTS aliases)
    string(REGEX REPLACE "\nusing ([A-Za-z_]+) = (.+)" "\\1=\\2" alias "${alias}")
    list(APPEND pairs "${alias}")
  endforeach()
  string(REGEX MATCHALL "\n[A-Za-z][A-Za-z0-9_:<>,&* ]*[ &*][A-Za-z0-9_]+ *[({]" blocks "${text}")   # functions and types
  string(REGEX MATCHALL "\n( *constexpr|const|static) [^\n]+" lines "${text}")
  string(REGEX MATCHALL "[ &*][A-Za-z0-9_]+ *[={]" constants "${lines}")
  foreach(declared IN LISTS blocks constants)
    string(REGEX REPLACE ".*[ &*]([A-Za-z0-9_]+) *[({=]$" "\\1" name "${declared}")
    list(APPEND pairs "${name}=${source}")
  endforeach()
  set(${result} ${pairs} PARENT_SCOPE)
endfunction()

# Joins the sources of a target: each goes to the first group of its room that has a place, none of its names, and the same namespaces in use.
function(wattloop_compile_together target)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)   # groups are named by their room: a new file leaves those of other rooms as they are
    file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR} ${folder})
    string(REGEX REPLACE "^(core|[^/]+/[^/]+)/.*" "\\1" room ${room})   # rooms inside a room are one
    set(options "")
    if(room MATCHES "${WATTLOOP_ROOMS_WITHOUT_LOOPS}" AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
      set(options -O1)
    endif()
    file(STRINGS ${source} used REGEX "^using namespace ")
    list(SORT used)
    file(STRINGS ${source} reaching REGEX "^#include <(sys/|signal|csignal)")   # macros of the system reach far
    if(reaching)
      continue()
    endif()
    string(REGEX REPLACE "using namespace |::" "_" room "${room}${used}")
    string(REGEX REPLACE "[^A-Za-z0-9_]" "_" room "${room}")
    if(NOT DEFINED groups_${room})
      set(groups_${room} 0)
    endif()
    wattloop_declared(declared ${source})
    set(place 0)
    set(candidate 1)
    while(place EQUAL 0)
      if(candidate GREATER groups_${room})
        set(groups_${room} ${candidate})
        set(count_${room}_${candidate} 0)
      endif()
      if(count_${room}_${candidate} LESS WATTLOOP_MOST_TOGETHER)
        set(place ${candidate})
        foreach(pair IN LISTS declared)
          string(REGEX REPLACE "=.*" "" name "${pair}")
          if(DEFINED declared_${room}_${candidate}_${name} AND NOT declared_${room}_${candidate}_${name} STREQUAL pair)
            set(place 0)
            break()
          endif()
        endforeach()
      endif()
      math(EXPR candidate "${candidate} + 1")
    endwhile()
    foreach(pair IN LISTS declared)
      string(REGEX REPLACE "=.*" "" name "${pair}")
      set(declared_${room}_${place}_${name} "${pair}")
    endforeach()
    math(EXPR count_${room}_${place} "${count_${room}_${place}} + 1")
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${room}_${place}_cxx.cxx PROPERTIES
      COMPILE_OPTIONS "${options}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${place})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})   # its names may be others after a change
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
