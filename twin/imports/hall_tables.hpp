// A hall as others list it: racks.csv, cdus.csv and power.csv of one folder (docs/import_hall.md reports the columns).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/imports/device_ratings.hpp"

namespace wattloop::twin {

struct ListedRack {
  std::string name{}, row{}, hardware{}, feed_a{}, feed_b{};
  std::string loop{};  ///< empty: cooled by air alone
  int position = 0, nodes = 8;
};

struct ListedCdu {
  std::string name, loop, hardware;
  double rating_w = 0.0;  ///< zero: that of the hardware
};

struct ListedPower {
  std::string name{}, kind{};  ///< utility, transformer, generator, ups, pdu
  std::string hardware{};      ///< of the library
  std::string upstream{};      ///< empty: the first of its way
  double rating = 0.0;         ///< W, of transformers V A
  int count = 1;               ///< modules of a UPS, transformers in parallel
};

struct HallTables {
  std::vector<ListedRack> racks;
  std::vector<ListedCdu> cdus;
  std::vector<ListedPower> power;
  std::vector<DeviceRating> devices;
  std::vector<std::string> notes;  ///< what was assumed, and what is not read

  const DeviceRating* device(const std::string& name) const;
  const ListedPower* equipment(const std::string& name) const;
  /// The first of the way that leads to it.
  const ListedPower& root_of(const ListedPower& equipment) const;
};

/// Throws InputError with every inconsistency.
HallTables read_hall_tables(const std::filesystem::path& folder);

}  // namespace wattloop::twin
