// What `wattloop new` is asked for: five answers, the last four of them by name.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace wattloop::twin {

/// A name that may be asked for, and what it means.
struct AskedChoice {
  std::string_view name, words;
};

std::span<const AskedChoice> cooling_choices();
std::span<const AskedChoice> redundancy_choices();
std::span<const AskedChoice> climate_choices();

struct AskedHall {
  int gpus = 1024;
  std::string hardware = "hgx_h100_liquid";
  std::string cooling = {};  ///< empty: what is usual for the hardware
  std::string redundancy = "2N";
  std::string climate = "leesburg";
  std::filesystem::path weather = {};  ///< EPW file, instead of a climate
  double offset_k = 0.0;               ///< of the weather: a colder or warmer place
  double pressure_pa = 0.0;            ///< of its air; 0: its own
  int nodes_per_rack = 0;              ///< 0: what is usual for the hardware
  double warmer_k = 0.0;               ///< facility water and coolant over what the climate asks for
};

/// The most that may be asked for.
inline constexpr int most_asked_gpus = 200'000;

/// What is meant by `name`: itself, or the only choice that begins so, upper and lower case alike. InputError at `option` with the nearest otherwise.
std::string chosen_name(std::string_view option, const std::string& name, std::span<const std::string> choices);
std::string chosen_name(std::string_view option, const std::string& name, std::span<const AskedChoice> choices);

}  // namespace wattloop::twin
