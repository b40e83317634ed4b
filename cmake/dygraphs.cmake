# Charts that reports hold: libjs-dygraphs as texts in the program. Without it reports draw still charts.
find_file(WATTLOOP_DYGRAPHS dygraph.min.js PATHS /usr/share/javascript/dygraphs /usr/share/nodejs/dygraphs/dist
  DOC "dygraph.min.js of dygraphs 2")
set(generated ${CMAKE_BINARY_DIR}/generated/dygraphs_text.cpp)
set(script "")
set(style "")
if(WATTLOOP_DYGRAPHS)
  get_filename_component(folder ${WATTLOOP_DYGRAPHS} DIRECTORY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${WATTLOOP_DYGRAPHS})
  file(READ ${WATTLOOP_DYGRAPHS} script HEX)
  file(READ ${folder}/src-es5/extras/synchronizer.js synchronizer HEX)
  file(READ ${folder}/dygraph.min.css style HEX)
  string(APPEND script "0a" ${synchronizer})
else()
  message(STATUS "No dygraphs (Debian: libjs-dygraphs): charts of reports will stand still")
endif()
string(REGEX REPLACE "(..)" "'\\\\x\\1'," script "${script}")
string(REGEX REPLACE "(..)" "'\\\\x\\1'," style "${style}")
file(CONFIGURE OUTPUT ${generated} CONTENT [[
#include "twin/drawings/names/dygraphs.hpp"

namespace wattloop::twin {
namespace {
constexpr char script[] = {@script@ 0};
constexpr char style[] = {@style@ 0};
}  // namespace
std::string_view dygraphs_script() { return {script, sizeof(script) - 1}; }
std::string_view dygraphs_style() { return {style, sizeof(style) - 1}; }
}  // namespace wattloop::twin
]] @ONLY)
target_sources(wattloop_twin PRIVATE ${generated})
