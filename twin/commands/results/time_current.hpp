// The picture of `wattloop diagram time-current SCENARIO`: protection curves of devices on one path.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wattloop::twin {

struct TimeCurrentPicture {
  std::string svg, title;
  std::vector<std::string> notes;  ///< on neighbours in the path that are not in series
};

/// `path`: names of devices with commas between them, from the source to the load; empty: the path with most devices. Throws InputError where a name is
/// none of a device, or there is no device.
TimeCurrentPicture time_current_picture(const std::filesystem::path& scenario, const std::string& path);

}  // namespace wattloop::twin
