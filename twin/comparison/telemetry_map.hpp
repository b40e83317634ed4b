// What the columns of a file of measurements are: a map from its columns to what results record.
//
//   time: { column: timestamp, unit: s, offset: 0 s, stamp: begin }        # unit: date for 2026-07-15T10:00:00
//   series:
//     - { column: "CDU 3 return", recorded: cdu_3.return_temperature, unit: degC }
//     - { column: P_hall, recorded: facility.power, unit: kW }
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/tables/time_stamps.hpp"
#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// A recorded series: one column of a table, of one item.
struct RecordedSeries {
  std::string table, column;
  std::size_t item = 0;
  std::string unit;      ///< SI
  bool is_mean = false;  ///< over the interval that ends at its time
};

struct MappedSeries {
  std::string column;       ///< of the file of measurements
  std::string recorded;     ///< as it was written: "cdu_3.return_temperature", "facility.power"
  std::string unit;         ///< of the measurements
  RecordedSeries series{};  ///< what `recorded` names
  Problem at{};             ///< place and line of `column`, for what is wrong with it
};

struct TelemetryMap {
  std::string time_column;
  StampFormat format{};            ///< of times
  StampOf stamp = StampOf::begin;  ///< what a time is of its row
  double offset_s = 0.0;           ///< added to measured times, which then are simulated ones
  Problem time_at{};               ///< of the time column
  std::vector<MappedSeries> series;
};

/// What is wrong, names that the results do not have included, goes to `problems`.
TelemetryMap read_telemetry_map(const std::filesystem::path& file, const ResultsReader& results, Problems& problems);

/// Of a document that is read already, for what runs record in these tables.
TelemetryMap read_telemetry_map(const Node& root, std::span<const TableSpec> recorded, Problems& problems);

}  // namespace wattloop::twin
