#include "twin/comparison/comparison.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

using Summaries = std::vector<std::vector<NamedValue>>;

/// Of all figures that any file has one, for the reading of limits.
std::vector<NamedValue> figures_of_any(const std::vector<FigureRow>& rows) {
  std::vector<NamedValue> figures;
  for (const FigureRow& row : rows)
    figures.push_back(**std::ranges::find_if(row.of, [](const auto& value) { return value.has_value(); }));
  return figures;
}

/// A figure that a file does not have holds no limit.
std::vector<Verdict> reference_file(const std::vector<KpiLimit>& limits, std::vector<NamedValue> figures) {
  for (const KpiLimit& limit : limits) {
    if (std::ranges::find(figures, limit.name, &NamedValue::name) != figures.end()) continue;
    figures.push_back({.name = limit.name,
                       .value = std::numeric_limits<double>::quiet_NaN(),
                       .unit = limit.si_unit,
                       .reason = "not in this file"});
  }
  return judge(limits, figures);
}

void compare_with_first(const ResultsReader& first, const ResultsReader& results, const Tolerances& tolerances,
                        ComparedFile& compared) {
  const auto in_first = first.provenance_text("scenario"), here = results.provenance_text("scenario");
  if (in_first && here) {
    compared.scenario = scenario_differences(*in_first, *here);
  } else {
    compared.notes.emplace_back("scenarios: not compared, because a file contains none");
  }
  compared.series = compare_series(first, results, tolerances);
  compared.events = event_differences(first.events(), results.events());
}

}  // namespace

bool Comparison::is_any_limit_violated() const {
  return std::ranges::any_of(files, [](const ComparedFile& file) { return is_any_violated(file.verdicts); });
}

std::string file_letter(std::size_t file) {
  return file < 26 ? std::string(1, static_cast<char>('A' + file)) : fmt::format("F{}", file + 1);
}

Comparison compare_results(const ComparisonRequest& request) {
  std::vector<ResultsReader> readers;
  for (const std::filesystem::path& file : request.files) readers.emplace_back(file);
  Summaries summaries;
  std::vector<std::string> units;
  for (const ResultsReader& reader : readers) {
    summaries.push_back(reader.summary());
    std::ranges::copy(recorded_units(reader), std::back_inserter(units));
  }
  Comparison comparison{.tolerances = {}, .figures = figures_side_by_side(summaries), .files = {}};
  Problems problems;
  comparison.tolerances = read_tolerances(request.tolerances, units, problems);
  const std::vector<KpiLimit> limits = read_limits(request.limits, figures_of_any(comparison.figures), problems);
  problems.throw_if_any("the command line");
  for (std::size_t k = 0; k < readers.size(); ++k) {
    ComparedFile compared{.file = request.files[k],
                          .title = readers[k].provenance_text("title").value_or(""),
                          .racks = worst_racks(readers[k], request.racks),
                          .verdicts = reference_file(limits, summaries[k])};
    if (summaries[k].empty()) compared.notes.emplace_back("figures: none, because its run did not end");
    if (k > 0) compare_with_first(readers[0], readers[k], comparison.tolerances, compared);
    comparison.files.push_back(std::move(compared));
  }
  return comparison;
}

}  // namespace wattloop::twin
