#include "twin/actions/power/part_limits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/actions/events/event_order.hpp"
#include "twin/plant/state/limit_words.hpp"

namespace wattloop::twin {

namespace {

constexpr double rounding_ratio = 1e-9;  ///< of a limit that is just kept
constexpr double reported_cleared_after_s = 60.0;

/// The limit, and what rounding adds to it.
double counted_from(double limit, Side side) {
  const double rounding = rounding_ratio * std::abs(limit);
  return side == Side::above ? limit + rounding : limit - rounding;
}

bool is_farther(double value, double than, Side side) { return is_beyond(value, than, side); }

/// How far beyond its own limit a part is.
double distance(const LimitedQuantity& quantity, std::size_t part, double value) {
  const double above = value - quantity.limit[part];
  return quantity.side == Side::above ? above : -above;
}

/// Parts of a quantity of which the same is reported at once.
struct ReportedTogether {
  std::vector<std::size_t> parts;
  std::size_t worst = 0;
  double time_s = PartBeyond::never_s;

  void add(std::size_t part, double at_s, bool is_worst) {
    if (parts.empty() || is_worst) worst = part;
    parts.push_back(part);
    time_s = std::min(time_s, at_s);
  }
  std::string more(const LimitedQuantity& quantity) const {
    if (parts.size() == 1) return {};
    const auto have_it = std::ranges::count_if(quantity.limit, [](double limit) { return std::isfinite(limit); });
    std::string kind(quantity.part_kind);
    std::ranges::replace(kind, '_', ' ');
    return fmt::format("; and {} more of {} {}s", parts.size() - 1, have_it, kind);
  }
};

void report_exceeded(const LimitedQuantity& quantity, PartBeyond* memory, std::vector<EventRecord>& events) {
  ReportedTogether together;
  for (std::size_t part = 0; part < quantity.count(); ++part) {
    if (!memory[part].is_over() || std::exchange(memory[part].is_reported, true)) continue;
    const bool is_worst =
        together.parts.empty() || distance(quantity, part, memory[part].begin_value) >
                                      distance(quantity, together.worst, memory[together.worst].begin_value);
    together.add(part, memory[part].since_s, is_worst);
  }
  if (together.parts.empty()) return;
  add_in_order({together.time_s, "limit_exceeded", std::string(quantity.parts->names()[together.worst]),
                beyond_text(quantity, together.worst, memory[together.worst].begin_value) + together.more(quantity)},
               events);
}

void report_cleared(const LimitedQuantity& quantity, double now_s, PartBeyond* memory,
                    std::vector<EventRecord>& events) {
  ReportedTogether together;
  double longest_s = 0.0;
  for (std::size_t part = 0; part < quantity.count(); ++part) {
    PartBeyond& of = memory[part];
    if (!of.is_reported || now_s < of.below_since_s + reported_cleared_after_s) continue;
    const double duration_s = of.below_since_s - of.since_s;
    together.add(part, of.below_since_s, duration_s > longest_s);
    longest_s = std::max(longest_s, duration_s);
    of.since_s = of.below_since_s = PartBeyond::never_s;
    of.is_reported = false;
  }
  if (together.parts.empty()) return;
  add_in_order({together.time_s, "limit_cleared", std::string(quantity.parts->names()[together.worst]),
                fmt::format("{} after {}; at worst {}{}", quantity.name, format_quantity(longest_s, "s"),
                            limit_words(memory[together.worst].worst_since, quantity.unit), together.more(quantity))},
               events);
}

/// The first part that is beyond the end of the models, as a sentence; empty where none is.
std::string end_text(const LimitedQuantity& quantity, const PartBeyond* memory) {
  if (quantity.beyond != Beyond::stop) return {};
  for (std::size_t part = 0; part < quantity.count(); ++part) {
    if (memory[part].is_over())
      return fmt::format("{}: {}", quantity.parts->names()[part],
                         beyond_text(quantity, part, memory[part].worst_since));
  }
  return {};
}

}  // namespace

PartLimits::PartLimits(const Plant& plant) : quantities_(limited_quantities(plant)) {
  for (const LimitedQuantity& quantity : quantities_) {
    values_.resize(std::max(values_.size(), quantity.count()));
    std::vector<double>& from = counted_from_.emplace_back();
    for (const double limit : quantity.limit) from.push_back(counted_from(limit, quantity.side));
  }
}

void PartLimits::count_quantity(std::size_t number, const Interval& interval, PartBeyond* parts) const {
  const LimitedQuantity& quantity = quantities_[number];
  const std::vector<double>& from = counted_from_[number];
  for (std::size_t part = 0; part < quantity.count(); ++part) {
    PartBeyond& of = parts[part];
    const double value = values_[part];
    if (is_beyond(value, from[part], quantity.side)) {
      if (!of.is_over()) {
        of.since_s = interval.begin_s;
        of.begin_value = of.worst_since = value;
      }
      if (is_farther(value, of.worst_since, quantity.side)) of.worst_since = value;
      if (!of.was_ever() || is_farther(value, of.worst, quantity.side)) {
        of.worst = value;
        of.worst_s = interval.begin_s;
      }
      of.first_s = std::min(of.first_s, interval.begin_s);
      of.beyond_s += interval.duration_s;
      of.below_since_s = PartBeyond::never_s;
    } else if (of.is_over()) {
      of.below_since_s = std::min(of.below_since_s, interval.begin_s);
    }
  }
}

void PartLimits::count(const Evaluation& evaluation, double end_s, double duration_s, LimitState& memory) {
  if (end_s > memory.end_s) memory.begin_s = std::exchange(memory.end_s, end_s);
  PartBeyond* parts = memory.parts.data();
  for (std::size_t number = 0; number < quantities_.size(); ++number) {
    const LimitedQuantity& quantity = quantities_[number];
    quantity.parts->fill_column(quantity.column, {evaluation.signals, evaluation.sinks},
                                std::span(values_).first(quantity.count()));
    count_quantity(number, {memory.begin_s, duration_s}, parts);
    parts += quantity.count();
  }
}

void PartLimits::report(PlantState& state, std::vector<EventRecord>& events) const {
  PartBeyond* parts = state.limits.parts.data();
  std::string end;
  for (const LimitedQuantity& quantity : quantities_) {
    report_exceeded(quantity, parts, events);
    report_cleared(quantity, state.time_s, parts, events);
    if (end.empty()) end = end_text(quantity, parts);
    parts += quantity.count();
  }
  if (!end.empty())
    throw EndOfModels(fmt::format("at {} the models are no longer valid: {}", format_quantity(state.time_s, "s"), end));
}

std::vector<std::string> PartLimits::impossible(const Evaluation& evaluation) {
  std::vector<std::string> found;
  for (const LimitedQuantity& quantity : quantities_) {
    if (quantity.beyond != Beyond::stop) continue;
    quantity.parts->fill_column(quantity.column, {evaluation.signals, evaluation.sinks},
                                std::span(values_).first(quantity.count()));
    for (std::size_t part = 0; part < quantity.count(); ++part) {
      if (!is_beyond(values_[part], quantity.limit[part], quantity.side)) continue;
      found.push_back(fmt::format("{}: {}", quantity.parts->names()[part], beyond_text(quantity, part, values_[part])));
      break;
    }
  }
  return found;
}

}  // namespace wattloop::twin
