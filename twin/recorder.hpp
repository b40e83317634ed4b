// The recorder: which quantities of a plant go into the results file, at which intervals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "twin/results_writer.hpp"
#include "twin/simulation.hpp"

namespace wattloop::twin {

/// All that a recorded quantity may depend on.
struct Moment {
  const Plant& plant;
  const PlantState& state;
  const Evaluation& evaluation;

  double node_k(std::size_t node) const { return evaluation.signals[plant.nodes[node].temperature_signal]; }
  double flow_kg_per_s(std::size_t flow) const { return evaluation.signals[plant.map.flow(flow)]; }
  double load_w(std::size_t load) const { return evaluation.loads_w()[load]; }
};

/// A quantity of one kind of item.
struct RecordedColumn {
  ColumnSpec spec;
  std::function<double(const Moment&, std::size_t item)> value;
};

/// A group of the results file.
struct RecordedTable {
  TableSpec spec;  ///< its columns are filled from `columns`
  double interval_s = 0.0;
  std::vector<RecordedColumn> columns;
};

/// A table without columns yet: a group of items that have names.
TableSpec table_of(std::string group, std::string item_dimension, std::vector<std::string> items);

/// Feeders, UPS and, where there are any, generators (twin/recorded_power.cpp).
std::vector<RecordedTable> power_tables(const Plant& plant, const RecordSpec& record);

/// All tables of a plant (twin/recorded_tables.cpp).
std::vector<RecordedTable> recorded_tables(const Plant& plant, const RecordSpec& record);

class Recorder final : public Observer {
 public:
  Recorder(const Plant& plant, const RecordSpec& record, ResultsWriter& writer);
  void observe(const PlantState& state, const Evaluation& evaluation) override;
  bool looks_at_units(double time_s) const override { return is_multiple(time_s, gpus_s_); }

 private:
  struct Table {
    RecordedTable recorded;
    std::size_t number;
    std::vector<float> row;
  };
  const Plant& plant_;
  const double gpus_s_;  ///< interval of single GPUs; all else is told by racks
  ResultsWriter& writer_;
  std::vector<Table> tables_;
};

}  // namespace wattloop::twin
