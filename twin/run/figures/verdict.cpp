#include "twin/run/figures/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

namespace {

using Relation = KpiLimit::Relation;

double number_of(const NamedValue& figure) {
  if (const auto* count = std::get_if<std::int64_t>(&figure.value)) return static_cast<double>(*count);
  const auto* number = std::get_if<double>(&figure.value);
  return number != nullptr && std::isfinite(*number) ? *number : std::numeric_limits<double>::quiet_NaN();
}

/// A figure, or a distance from it, in the unit of its limit.
std::string in_written_unit(const KpiLimit& limit, double value, bool is_distance) {
  const bool is_temperature = limit.si_unit == "K" || limit.si_unit == "delta_K";
  const std::string& unit = limit.written_unit;
  if (limit.si_unit == "s") return format_quantity(value, "s");  // which has several units at a time
  const double zero = to_si(0.0, unit, limit.si_unit), size = to_si(1.0, unit, limit.si_unit) - zero;
  if (is_temperature && (is_distance || limit.si_unit == "delta_K")) {
    const bool is_fahrenheit = unit.ends_with('F');
    return format_quantity(value / size, is_fahrenheit ? "degF" : "delta_K");
  }
  const double shown = (value - (is_distance ? 0.0 : zero)) / size;
  return format_quantity(shown, unit.empty() ? "1" : unit);
}

std::string outcome_text(const Verdict& verdict) {
  if (!verdict.can_be_judged()) return "VIOLATED: cannot be judged, " + verdict.reason;
  const std::string distance = in_written_unit(verdict.limit, std::abs(verdict.margin()), true);
  return verdict.is_met ? fmt::format("held, {} left", distance) : fmt::format("VIOLATED by {}", distance);
}

}  // namespace

bool Verdict::can_be_judged() const { return std::isfinite(value); }

double Verdict::margin() const {
  const bool is_upper = limit.relation == Relation::at_most || limit.relation == Relation::below;
  return is_upper ? limit.bound - value : value - limit.bound;
}

std::vector<Verdict> judge(std::span<const KpiLimit> limits, std::span<const NamedValue> figures) {
  std::vector<Verdict> verdicts;
  for (const KpiLimit& limit : limits) {
    const NamedValue* figure = figure_named(figures, limit.name);
    if (figure == nullptr) throw std::out_of_range("no figure " + limit.name);
    Verdict verdict{.limit = limit, .value = number_of(*figure), .reason = figure->reason};
    verdict.is_met = verdict.can_be_judged() && limit.holds(verdict.value);
    if (!verdict.can_be_judged() && verdict.reason.empty()) verdict.reason = "not a number";
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

bool is_any_violated(std::span<const Verdict> verdicts) { return !std::ranges::all_of(verdicts, &Verdict::is_met); }

std::string verdicts_text(std::span<const Verdict> verdicts) {
  if (verdicts.empty()) return {};
  std::size_t width = 0;
  for (const Verdict& verdict : verdicts) width = std::max(width, verdict.limit.text.size());
  std::string text = "\nVerdicts\n";
  for (const Verdict& verdict : verdicts) {
    const std::string value =
        verdict.can_be_judged() ? in_written_unit(verdict.limit, verdict.value, false) : std::string("n/a");
    text += fmt::format("  {:<{}}  {:>12}  {}\n", verdict.limit.text, width, value, outcome_text(verdict));
  }
  return text;
}

}  // namespace wattloop::twin
