// The hardware library, for people: which devices there are, and what one of them is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

struct Device {
  std::string name;   ///< as after `hardware:`
  std::string kind;   ///< "cdu"
  std::string title;  ///< "Row CDU, 1.37 MW"
  std::filesystem::path file;
};

/// All devices of the library folders, by kind and name; where two folders have one, the one that a scenario in the working folder gets.
/// Files that cannot be read are there, without their kind; `device_text` reports what is wrong with them.
std::vector<Device> library_devices();

std::optional<Device> find_device(std::string_view name);

/// A line for each device, kind by kind.
std::string device_list_text();

/// Kind, title, file, and every value with its source.
std::string device_text(const Device& device);

}  // namespace wattloop::twin
