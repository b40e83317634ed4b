// Recorded series kept in memory: some columns of the tables of a results file, each of one item, with the same values at the same times,
// but as doubles. For who looks at many runs and wants no file of each.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "twin/run/recording/recorder.hpp"

namespace wattloop::twin {

/// A column of a table, of one item.
struct SeriesName {
  std::string table{}, column{};
  std::size_t item = 0;
};

struct KeptSeries {
  std::vector<double> times_s{}, values{};  ///< SI
};

class SeriesRecorder final : public Observer {
 public:
  /// std::invalid_argument where the plant has no such series.
  SeriesRecorder(const Plant& plant, const RecordSpec& record, std::span<const SeriesName> names,
                 double end_s = std::numeric_limits<double>::infinity());
  void observe(const PlantState& state, const Evaluation& evaluation) override;
  void integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) override;
  bool looks_at_units(double time_s) const override { return is_recorded_at(time_s, gpus_s_, end_s_); }
  bool looks_at_powers() const override { return false; }

  /// As the names were given.
  const std::vector<KeptSeries>& series() const { return series_; }

 private:
  /// One quantity, summed up where it is recorded as a mean.
  struct Quantity {
    RecordedColumn column;
    bool is_mean = false;
    double sum = 0.0;
  };

  /// What a series is made of: itself, or numerator, denominator and perhaps what spoils their ratio.
  struct Source {
    std::vector<Quantity> quantities;
    std::size_t item = 0;
    double interval_s = 0.0, duration_s = 0.0;
    bool is_ratio = false;
  };

  static Source source_of(const RecordedTable& table, const SeriesName& name);

  const Plant& plant_;
  const double gpus_s_, end_s_;
  std::vector<Source> sources_;
  std::vector<KeptSeries> series_;
};

/// All that runs of this plant record, as tables of a results file, in their order.
std::vector<TableSpec> recorded_specs(const Plant& plant, const RecordSpec& record);

}  // namespace wattloop::twin
