# One static library per top-level folder.

add_library(wattloop_options INTERFACE)
target_compile_options(wattloop_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow
  -Wno-array-bounds -Wno-free-nonheap-object   # false alarms of g++ 12 in std::string and std::vector
  -Wno-psabi)                                   # core/numbers/lanes.hpp: nothing that is inlined has an ABI
add_library(wattloop_together_options INTERFACE)   # of files that are compiled with others: of names that only a neighbour has; a false alarm
if(WATTLOOP_TOGETHER)
  target_compile_options(wattloop_together_options INTERFACE -Wno-shadow -Wno-subobject-linkage -Wno-stringop-overread)
endif()
if(WATTLOOP_WARNINGS_AS_ERRORS)
  target_compile_options(wattloop_options INTERFACE -Werror)
endif()
if(WATTLOOP_NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-mprefer-vector-width=512 WATTLOOP_HAS_VECTOR_WIDTH)
  target_compile_options(wattloop_options INTERFACE -march=native
    $<$<BOOL:${WATTLOOP_HAS_VECTOR_WIDTH}>:-mprefer-vector-width=512>)   # as wide as the processor has them, not narrower
endif()
if(WATTLOOP_SANITIZE)
  target_compile_options(wattloop_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(wattloop_options INTERFACE -fsanitize=address,undefined)
endif()

# Objects of programs and of the library (api/) are the same, compiled once, for any address. Nothing outside replaces what they call, so
# that they are inlined as in a program.
function(wattloop_position_independent target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fvisibility=hidden -fno-semantic-interposition)
endfunction()

# What is compiled of a folder, or of one of its rooms.
function(wattloop_compile target headers)
  wattloop_position_independent(${target})
  target_link_libraries(${target} PRIVATE ${headers} ${ARG_PUBLIC} ${ARG_PRIVATE} wattloop_options wattloop_together_options)
  if(WATTLOOP_TOGETHER)
    wattloop_compile_together(${target} ${ARGN})
  endif()
  if(WATTLOOP_PRECOMPILE)
    if("${precompiled}" STREQUAL "")
      target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <filesystem> <fmt/format.h> <fmt/ranges.h> <functional>
        <map> <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <vector>)
      set(precompiled ${target} PARENT_SCOPE)
    else()
      target_precompile_headers(${target} REUSE_FROM ${precompiled})
    endif()
  endif()
endfunction()

# A folder is a static library. A room of it, in the order of cmake/rooms.cmake, is a target of objects that finds no headers of later rooms.
# WATTLOOP_COMPILED_NAME: targets that have its sources.
function(wattloop_folder name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  set(used ${ARG_PUBLIC})
  list(FILTER used INCLUDE REGEX "^wattloop::")
  list(TRANSFORM used REPLACE "^wattloop::" "")
  wattloop_headers_of_folder(${name} ${used})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(main|views_program|launcher)\\.cpp$")   # of programs
  set(rooms "")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${source})
    wattloop_headers_for(headers ${path})
    string(REPLACE wattloop_headers_ "" room ${headers})
    list(APPEND rooms ${room})
    list(APPEND sources_${room} ${source})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  list(REMOVE_ITEM rooms ${name})
  set(compiled wattloop_${name})
  set(precompiled "")
  add_library(wattloop_${name} STATIC ${sources_${name}})   # those beside its rooms
  foreach(room IN LISTS rooms)
    add_library(wattloop_${room} OBJECT ${sources_${room}})
    wattloop_compile(wattloop_${room} wattloop_headers_${room} ${sources_${room}})
    target_sources(wattloop_${name} PRIVATE $<TARGET_OBJECTS:wattloop_${room}>)
    list(APPEND compiled wattloop_${room})
  endforeach()
  wattloop_compile(wattloop_${name} wattloop_headers_${name} ${sources_${name}})
  target_link_libraries(wattloop_${name} PUBLIC wattloop_headers_${name} ${ARG_PUBLIC})
  set(WATTLOOP_COMPILED_${name} ${compiled} PARENT_SCOPE)
  add_library(wattloop::${name} ALIAS wattloop_${name})
endfunction()
