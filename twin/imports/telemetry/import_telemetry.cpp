#include <cmath>
#include <span>

#include <fmt/format.h>

#include "twin/imports/telemetry/import_telemetry.hpp"
#include "twin/imports/telemetry/node_lags.hpp"
#include "twin/imports/telemetry/power_logs_reader.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view boundaries = "gpu, board, node_ac or node_dc";

/// Where power was measured: what the log says, else what the command line does.
std::string settled_boundary(const PowerLog& log, const std::string& asked, Problems& problems) {
  const std::string file = log.files.empty() ? "" : log.files.front();
  if (asked.empty() && log.boundary.empty())
    problems.add(
        {{file, 0, 0},
         "the log does not give the measurement boundary of its power",
         fmt::format("write --boundary {}: a GPU alone, its board, a node at its AC inlet or behind its power supplies",
                     boundaries),
         {}});
  if (!asked.empty() && !log.boundary.empty() && asked != log.boundary)
    problems.add({{"--boundary", 0, 0},
                  fmt::format("--boundary {} does not agree with the log, which says {}: {}", asked, log.boundary,
                              log.boundary_source),
                  "delete --boundary",
                  {}});
  return log.boundary.empty() ? asked : log.boundary;
}

/// Power of GPUs comes by GPU, that of nodes by node.
void demand_owners(const PowerLog& log, const std::string& boundary, Problems& problems) {
  const bool is_of_nodes = boundary == "node_ac" || boundary == "node_dc";
  for (const PowerSeries& one : log.series) {
    if (is_of_nodes && !one.gpu.empty())
      return problems.add(
          {{log.files.front(), 0, 0},
           fmt::format("the log contains the power of GPUs ({}), not of nodes", series_name(one, false)),
           "write --boundary gpu or board",
           {}});
    if (!is_of_nodes && one.gpu.empty())
      return problems.add({{log.files.front(), 0, 0},
                           fmt::format("'{}' is a node, not a GPU", one.node),
                           "write --boundary node_ac or node_dc",
                           {}});
  }
}

}  // namespace

ImportedTelemetry import_telemetry(const std::vector<std::filesystem::path>& files, const TelemetryOptions& options) {
  const std::string subject = files.empty()       ? "the command line"
                              : files.size() == 1 ? files.front().string()
                                                  : "the logs";
  Problems problems;
  ImportedTelemetry imported{
      .log = read_power_logs(files, options.log, problems), .asked = options.copies, .options = options.series};
  if (problems.empty() || !imported.log.series.empty())
    imported.boundary = settled_boundary(imported.log, options.log.boundary, problems);
  problems.throw_if_any(subject);
  demand_owners(imported.log, imported.boundary, problems);
  problems.throw_if_any(subject);
  imported.facts = prepare_series(imported.log, options.series, problems);
  problems.throw_if_any(subject);
  const bool has_copies = options.copies.nodes > 0;
  imported.trace = rows_of_series(imported.log, imported.facts, has_copies && options.copies.jitter_s > 0.0);
  imported.lags = node_lags(imported.trace);
  if (has_copies) {
    hold_missing_cells(imported.trace);
    imported.copies = copies_of(imported.trace, options.copies, problems);
  }
  problems.throw_if_any("the command line");
  return imported;
}

}  // namespace wattloop::twin
