// The recorder: which quantities of a plant go into the results file, at which intervals. Powers, heats and flows are means over the
// interval that ends at their time, so that mean times interval is energy; all else is the value at its time. The first record has no
// interval: it is the start. The last one is the end of the run, after a shorter interval where its duration is no multiple of them.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "twin/run/recording/placement_log.hpp"
#include "twin/scenario/specs/record_spec.hpp"
#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

/// A quantity of one kind of item, from an expression in the moment and the item's number.
struct RecordedColumn {
  template <class Expression>
  RecordedColumn(ColumnSpec column, Expression expression)
      : spec(std::move(column)),
        value(expression),
        fill([expression](const PlantSnapshot& snapshot, std::span<double> items) {
          for (std::size_t item = 0; item < items.size(); ++item) items[item] = expression(snapshot, item);
        }) {}

  RecordedColumn(ColumnSpec column, std::function<double(const PlantSnapshot&, std::size_t)> one,
                 std::function<void(const PlantSnapshot&, std::span<double>)> all)
      : spec(std::move(column)), value(std::move(one)), fill(std::move(all)) {}

  /// The ratio of two other columns of its table that are means, in each record: not the mean of ratios, which one instant without
  /// a denominator would spoil.
  RecordedColumn ratio_of(std::string numerator_name, std::string denominator_name) && {
    numerator = std::move(numerator_name);
    denominator = std::move(denominator_name);
    return std::move(*this);
  }

  /// Of a ratio: not a number in records in which that other column of its table, a mean, is above zero.
  RecordedColumn unless_above_zero(std::string column_name) && {
    spoils = std::move(column_name);
    return std::move(*this);
  }

  ColumnSpec spec;
  std::string numerator{}, denominator{};  ///< names of columns; empty: the column is no ratio
  std::string spoils{};                    ///< name of a column; empty: none does
  std::function<double(const PlantSnapshot&, std::size_t item)> value;
  std::function<void(const PlantSnapshot&, std::span<double> items)> fill;  ///< all items, in one call
};

/// A group of the results file.
struct RecordedTable {
  TableSpec spec;  ///< its columns are filled from `columns`
  double interval_s = 0.0;
  std::vector<RecordedColumn> columns;
  bool has_means = true;  ///< else all of it is reported at its time
};

/// Whether a table of that interval has a record then: at its multiples, and at the end of the run.
bool is_recorded_at(double time_s, double interval_s, double end_s);

/// What is recorded as a mean: power, heat, flow, and what is made of them.
bool is_recorded_as_mean(const ColumnSpec& column);

/// A table without columns yet: a group of items that have names.
TableSpec table_of(std::string group, std::string item_dimension, std::vector<std::string> items);

/// The site as a whole (twin/run/recording/recorded_facility.cpp).
RecordedTable facility_table(const Plant& plant, const RecordSpec& record);

/// All parts that stand in a hall, in the groups that their headers say, with the columns of these; groups in the order of the
/// catalog (twin/run/recording/recorded_parts.cpp).
std::vector<RecordedTable> part_tables(const Plant& plant, const RecordSpec& record);

/// Equipment of the power tree, in the tables and with the columns of its kinds (twin/run/recording/recorded_power.cpp).
std::vector<RecordedTable> power_tables(const Plant& plant, const RecordSpec& record);

/// Commands and states of motors and of switches of the power tree (twin/run/recording/recorded_states.cpp).
std::vector<RecordedTable> state_tables(const Plant& plant, const RecordSpec& record);

/// Switches of a modelled fabric, and its tiers by islands (twin/run/recording/recorded_fabric.cpp).
std::vector<RecordedTable> fabric_tables(const HallFabric& hall, const RecordSpec& record);

/// All tables of a plant (twin/run/recording/recorded_tables.cpp).
std::vector<RecordedTable> recorded_tables(const Plant& plant, const RecordSpec& record);

class Recorder final : public Observer {
 public:
  /// `end_s`: of the run, whose end is recorded in any case. `racks`: coordinates of the table `racks`. `more`: tables after those of the plant.
  Recorder(const Plant& plant, const RecordSpec& record, ResultsWriter& writer,
           double end_s = std::numeric_limits<double>::infinity(), std::vector<ItemLabels> racks = {},
           std::vector<RecordedTable> more = {});
  void observe(const PlantState& state, const Evaluation& evaluation) override;
  void integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) override;
  bool looks_at_units(double time_s) const override { return is_recorded_at(time_s, gpus_s_, end_s_); }
  bool looks_at_powers() const override { return false; }

  /// What has yet to go into a record, as `Statistics::keep`.
  template <class Archive>
  void keep(Archive& archive) {
    for (Table& table : tables_) archive(table.sums, table.duration_s);
    placements_.keep(archive);
  }

  /// Where jobs of a queue had their nodes so far.
  std::vector<JobPlace> placements() const { return placements_.places(); }

 private:
  struct Table {
    RecordedTable recorded;
    std::size_t number;
    std::vector<float> row;
    std::vector<double> sums;  ///< [column that is a mean][item] since the last record, times s
    double duration_s = 0.0;   ///< since then
  };

  void fill(Table& table, const PlantSnapshot& snapshot);
  void fill_ratios(Table& table);
  const Plant& plant_;
  const double gpus_s_;  ///< interval of single GPUs; all else is reported by racks
  const double end_s_;
  ResultsWriter& writer_;
  std::vector<Table> tables_;
  std::vector<double> items_;  ///< scratch
  PlacementLog placements_;
};

}  // namespace wattloop::twin
