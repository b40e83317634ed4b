// `wattloop compare`: results beside results, or beside measurements.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/units.hpp"

namespace wattloop::twin {

struct CompareOptions {
  std::vector<std::filesystem::path> results;
  std::vector<std::string> tolerances;  ///< "0.5 %", "0.5 K"
  std::vector<std::string> limits;      ///< on figures of the summary, of each file
  std::size_t lines = 15;               ///< of each table; 0: all
  bool shows_equal = false;             ///< figures that are equal, too
  std::filesystem::path measured, map;  ///< CSV, and what its columns are
  std::filesystem::path overlay;        ///< CSV of measured and modelled values; empty: none
  bool is_forced = false;               ///< replaces what is there
  bool is_json = false;
  UnitStyle units = UnitStyle::metric;
};

/// Exit code 0, or 3 where a limit is violated. Throws InputError, FileError.
int compare_command(const CompareOptions& options);

}  // namespace wattloop::twin
