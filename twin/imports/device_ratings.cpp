#include "twin/imports/device_ratings.hpp"

#include <algorithm>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/document/text_file.hpp"
#include "twin/document/yaml_text.hpp"
#include "twin/scenario/library/hardware_library.hpp"

namespace wattloop::twin {

namespace {

double rating_of(const Node& device, const std::string& kind) {
  const Node* value = find(device, kind == "node" ? "nameplate" : rating_key(kind));
  if (value != nullptr && value->is_map()) value = find(*value, "value");
  if (value == nullptr) return 0.0;
  try {
    return to_si(value->text, rating_unit(kind));
  } catch (const QuantityError&) {
    return 0.0;
  }
}

}  // namespace

std::string rating_key(const std::string& kind) { return kind == "cdu" ? "rated_heat" : "rated_power"; }

std::string rating_unit(const std::string& kind) { return kind == "transformer" ? "V A" : "W"; }

std::vector<DeviceRating> device_ratings(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::vector<DeviceRating> devices;
  for (const fs::path& library : library_folders(folder)) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(library / "hardware")) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      Problems ignored;  // reported when a scenario names the device
      const auto text = read_text_file(file, nullptr, ignored);
      if (!text || std::ranges::find(devices, file.stem().string(), &DeviceRating::name) != devices.end()) continue;
      const Node device = parse_yaml(*text, file.string(), ignored);
      const Node* kind = find(device, "kind");
      if (kind == nullptr) continue;
      devices.push_back({file.stem().string(), kind->text, rating_of(device, kind->text),
                         find(device, "coolant_design_flow") != nullptr});
    }
  }
  return devices;
}

}  // namespace wattloop::twin
