// The picture of `wattloop diagram time-current SCENARIO`: protection curves of devices on one path.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

struct TimeCurrentPicture {
  std::string svg, title;
};

/// `path`: names of devices with commas between them, from the source to the load; empty: the path with most devices. Throws InputError where a name is
/// none of a device, or there is no device.
TimeCurrentPicture time_current_picture(const std::filesystem::path& scenario, const std::string& path);

}  // namespace wattloop::twin
