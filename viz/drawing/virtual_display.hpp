// A display without a screen: VTK cannot draw, not even into memory, without an X server.
#pragma once

#include <optional>
#include <string>

namespace wattloop::viz {

/// While it lives, a private X server (Xvfb) is this process's display. Pictures are then the same on every
/// machine, and a broken or forwarded $DISPLAY does no harm. Where Xvfb is not installed, the display present
/// is used as it is. One that begins while another lives shares its server.
class VirtualDisplay {
 public:
  /// Throws `FileError` where there is neither.
  VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;
  ~VirtualDisplay();

 private:
  int server_ = -1;  // process id; none where the display present is used
  std::optional<std::string> earlier_display_;
};

}  // namespace wattloop::viz
