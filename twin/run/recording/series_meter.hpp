// Means of a series since any instant at which somebody marked it, made of what records are made of: for who looks at a run while it is open.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "twin/run/recording/live_series.hpp"

namespace wattloop::twin {

class SeriesMeter final : public Observer {
 public:
  /// Counts from `now_s` on. `plant` and `series` must outlive it. Throws InputError for a series that records do not have
  /// as means.
  SeriesMeter(const Plant& plant, const LiveSeries& series, const LiveHandle& handle, double now_s);

  /// What `other` has counted, of a run of its own.
  SeriesMeter(const SeriesMeter& other, const Plant& plant, const LiveSeries& series);

  void observe(const PlantState&, const Evaluation&) override {}
  void integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) override;
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }

  const LiveHandle& handle() const { return handle_; }

  /// Means may be asked for since this instant, which is now.
  void mark(double now_s);

  /// Since the begin where `since_s` is none, SI: one for each value of the series; not a number where a ratio has none. Throws
  /// InputError where there is no mark then, or nothing was counted since.
  std::span<const double> means(std::optional<double> since_s);

 private:
  /// From one mark to the next. Sums of their own, so that what is not a number for a while spoils no later mean.
  struct Piece {
    double begin_s = 0.0;
    double counted_s = 0.0;
    std::vector<double> sums;  ///< [quantity][item] times s
  };

  /// The first piece of a mean since then.
  std::size_t piece_of(std::optional<double> since_s) const;

  const Plant* plant_;
  const LiveSeries* series_;
  LiveHandle handle_;
  std::vector<const RecordedColumn*> quantities_;  ///< the series, or what its ratio is made of
  bool is_ratio_ = false;
  std::vector<Piece> pieces_;
  std::vector<double> items_, sums_, means_;  ///< scratch, the same; what was asked for last
};

}  // namespace wattloop::twin
