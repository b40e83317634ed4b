#include "twin/run/recording/series_meter.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

[[noreturn]] void refuse_mean(std::string message, std::string hint) {
  throw InputError({{{"mean", 0, 0}, std::move(message), std::move(hint), {}}}, "the mean");
}

const RecordedColumn& column_beside(const RecordedTable& table, const std::string& name) {
  return *std::ranges::find(table.columns, name, [](const RecordedColumn& column) { return column.spec.name; });
}

}  // namespace

SeriesMeter::SeriesMeter(const Plant& plant, const LiveSeries& series, const LiveHandle& handle, double now_s)
    : plant_(&plant), series_(&series), handle_(handle) {
  const RecordedTable& table = series.tables()[handle.table];
  const RecordedColumn& column = table.columns[handle.column];
  is_ratio_ = !column.numerator.empty();
  if (!table.has_means || (!is_ratio_ && !is_recorded_as_mean(column.spec)))
    refuse_mean(
        fmt::format("{} of {} is recorded as values at instants, not as means", column.spec.name, table.spec.group),
        "use `values` for it; only powers, heats, flows and their ratios have means");
  quantities_ = {&column};
  if (is_ratio_) {
    quantities_ = {&column_beside(table, column.numerator), &column_beside(table, column.denominator)};
    if (!column.spoils.empty()) quantities_.push_back(&column_beside(table, column.spoils));
  }
  items_.resize(series.size(handle));
  means_.resize(items_.size());
  sums_.resize(quantities_.size() * items_.size());
  mark(now_s);
}

SeriesMeter::SeriesMeter(const SeriesMeter& other, const Plant& plant, const LiveSeries& series)
    : SeriesMeter(plant, series, other.handle_, other.pieces_.front().begin_s) {
  pieces_ = other.pieces_;
}

void SeriesMeter::integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) {
  const PlantSnapshot snapshot{*plant_, state, evaluation};
  Piece& piece = pieces_.back();
  double* sum = piece.sums.data();
  for (const RecordedColumn* quantity : quantities_) {
    if (handle_.item) {
      items_.front() = quantity->value(snapshot, *handle_.item);
    } else {
      quantity->fill(snapshot, items_);
    }
    for (const double item : items_) *sum++ += duration_s * item;
  }
  piece.counted_s += duration_s;
}

void SeriesMeter::mark(double now_s) {
  if (pieces_.empty() || pieces_.back().begin_s < now_s)
    pieces_.push_back({now_s, 0.0, std::vector(sums_.size(), 0.0)});
}

std::size_t SeriesMeter::piece_of(std::optional<double> since_s) const {
  if (!since_s) return 0;
  const auto after = std::ranges::upper_bound(pieces_, *since_s, {}, &Piece::begin_s);
  const std::size_t earlier = static_cast<std::size_t>(after - pieces_.begin());
  if (earlier == 0 || std::isnan(*since_s))
    refuse_mean(fmt::format("the meter has no data since {}", format_quantity(*since_s, "s")),
                fmt::format("the meter began at {}", format_quantity(pieces_.front().begin_s, "s")));
  const double begin_s = pieces_[earlier - 1].begin_s;
  if (begin_s != *since_s)
    refuse_mean(
        fmt::format("no piece of the hall ended at {} s", *since_s),
        fmt::format(
            "a mean begins at the end of a piece of the run; the last end before this time is {} s: use that time",
            begin_s));
  return earlier - 1;
}

std::span<const double> SeriesMeter::means(std::optional<double> since_s) {
  std::ranges::fill(sums_, 0.0);
  double counted_s = 0.0;
  for (std::size_t k = piece_of(since_s); k < pieces_.size(); ++k) {
    counted_s += pieces_[k].counted_s;
    std::ranges::transform(sums_, pieces_[k].sums, sums_.begin(), std::plus());
  }
  if (!(counted_s > 0.0)) refuse_mean("a mean needs some simulated time", "advance the hall first, or use `values`");
  const std::size_t count = means_.size();
  const auto mean = [&](std::size_t quantity, std::size_t item) { return sums_[quantity * count + item] / counted_s; };
  for (std::size_t item = 0; item < count; ++item) {
    means_[item] = mean(0, item);
    if (!is_ratio_) continue;
    const double below = mean(1, item);
    const bool is_spoilt = quantities_.size() > 2 && mean(2, item) > 0.0;
    means_[item] = below > 0.0 && !is_spoilt ? means_[item] / below : std::numeric_limits<double>::quiet_NaN();
  }
  return means_;
}

}  // namespace wattloop::twin
