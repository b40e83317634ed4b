# One static library per top-level folder. A folder whose code is all in headers is an interface library.

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

function(wattloop_folder name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(main|views_program|launcher)\\.cpp$")   # of programs
  if(sources)
    add_library(wattloop_${name} STATIC ${sources})
    target_include_directories(wattloop_${name} PUBLIC ${CMAKE_SOURCE_DIR})
    wattloop_position_independent(wattloop_${name})
    target_link_libraries(wattloop_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} wattloop_options wattloop_together_options)
    if(WATTLOOP_TOGETHER)
      wattloop_compile_together(wattloop_${name} ${sources})
    endif()
    if(WATTLOOP_PRECOMPILE)
      target_precompile_headers(wattloop_${name} PRIVATE <algorithm> <array> <cmath> <filesystem> <fmt/format.h> <fmt/ranges.h> <functional>
        <map> <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <vector>)
    endif()
  else()
    add_library(wattloop_${name} INTERFACE)
    target_include_directories(wattloop_${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(wattloop_${name} INTERFACE ${ARG_PUBLIC})
  endif()
  add_library(wattloop::${name} ALIAS wattloop_${name})
endfunction()
