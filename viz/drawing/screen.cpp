#include "viz/drawing/screen.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"

namespace wattloop::viz {
namespace {

/// Asks the library of X that VTK has loaded, without its headers.
bool answers(const char* display) {
  using Open = void* (*)(const char*);
  using Close = int (*)(void*);
  void* x11 = dlopen("libX11.so.6", RTLD_NOW);
  if (x11 == nullptr) return false;
  const auto open = reinterpret_cast<Open>(dlsym(x11, "XOpenDisplay"));
  const auto close = reinterpret_cast<Close>(dlsym(x11, "XCloseDisplay"));
  void* connection = open != nullptr ? open(display) : nullptr;
  if (connection != nullptr && close != nullptr) close(connection);
  return connection != nullptr;
}

}  // namespace

void demand_screen() {
  const char* display = std::getenv("DISPLAY");
  const std::string instead = "; without one, view draws pictures (-o) and movies (--movie)";
  if (display == nullptr || *display == '\0')
    throw FileError("a window needs an X display, and $DISPLAY names none" + instead);
  if (!answers(display))
    throw FileError("a window needs an X display, and '" + printable(display) + "' of $DISPLAY does not answer" +
                    instead);
}

}  // namespace wattloop::viz
