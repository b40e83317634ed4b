// What a report says of a run in words and tables, as HTML.
#pragma once

#include <span>
#include <string>

#include "twin/drawings/charts/live_charts.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// The verdict of the terminal with its lines (twin/report/events/run_verdict.hpp); what happened and what was lost, in a few sentences.
std::string verdict(const ResultsReader& results, std::span<const EventSummaryLine> event_lines);

/// The figures that one asks for first, each with what limits it.
std::string key_figures(const ResultsReader& results);

/// Times lead to the charts.
std::string events_table(const ResultsReader& results, std::span<const EventSummaryLine> event_lines,
                         const LiveCharts& charts);

/// Limits that were exceeded: of parts that are alike, with the same limit, one row with the worst of them.
std::string limits_table(const ResultsReader& results);

/// The most loaded equipment of each kind.
std::string loadings_table(const ResultsReader& results);

/// Everything in the summary.
std::string figures_table(std::span<const NamedValue> summary);

/// What ran, with which program, and how to run it again.
std::string provenance_list(const ResultsReader& results, const std::string& file_name);

}  // namespace wattloop::twin
