// Where things stand in a results file: groups, variables, dimensions, chunks, attributes. The one place that
// knows, besides docs/results_format.md.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/schema/event_record.hpp"
#include "twin/results/schema/gpu_throttles.hpp"
#include "twin/results/schema/job_place.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

inline constexpr const char* format_attribute = "wattloop_results_format";
inline constexpr const char* start_attribute = "start";
inline constexpr const char* bounds_name = "time_bnds";  ///< CF: of the intervals that means are over
/// Of values in K that are differences, as later CF conventions have it: 1 K is not -272.15 degC there.
inline constexpr const char* kelvin_attribute = "units_metadata";
inline constexpr const char* kelvin_difference = "temperature: difference";

/// Rows and items of a chunk: 160 kB where possible, 32 to 1024 rows, at most 2560 items.
std::array<std::size_t, 2> chunk_shape(const TableSpec& table);

/// Variables as Hdf5Writer numbers them.
struct TableVariables {
  std::size_t time = 0;
  std::size_t bounds = 0;  ///< begin and end of the interval of each record
  std::vector<std::size_t> columns;
};
struct EventVariables {
  std::size_t event = 0, time = 0, kind = 0, target = 0, detail = 0;
};

void write_header(Hdf5Writer& file, const std::string& start_iso);
TableVariables add_table_group(Hdf5Writer& file, const TableSpec& table, const std::string& start_iso);
EventVariables add_events_group(Hdf5Writer& file, const std::string& start_iso);
void write_event_rows(Hdf5Writer& file, const EventVariables& variables, std::size_t first_event,
                      std::span<const EventRecord> events);
/// Empty as well: then nothing was beyond a limit.
void write_months_group(Hdf5Writer& file, std::span<const MonthRecord> months, const std::string& start_iso);
/// Of a run in which no GPU was slowed nothing.
void write_throttles_group(Hdf5Writer& file, const GpuThrottles& throttles, const std::string& start_iso);
void write_limits_group(Hdf5Writer& file, std::span<const LimitRecord> limits, const std::string& start_iso);
/// Where jobs have fixed nodes nothing.
void write_jobs_group(Hdf5Writer& file, std::span<const JobOutcome> jobs, const std::string& start_iso);
void write_placements_group(Hdf5Writer& file, std::span<const JobPlace> places, const std::string& start_iso);
void write_layout_group(Hdf5Writer& file, std::span<const LayoutBox> boxes);

/// Attributes of the file, of its provenance: title of the run, program, command.
void write_origin(Hdf5Writer& file, std::span<const NamedValue> provenance);

/// Scalars of `summary` or `provenance`.
void write_value_group(Hdf5Writer& file, const std::string& group, std::span<const NamedValue> values);

}  // namespace wattloop::twin
