#include "twin/build/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "electrical/pdu.hpp"
#include "physics/units/node_rack.hpp"
#include "physics/water/cdu_exchanger.hpp"
#include "twin/build/layout_surroundings.hpp"

namespace wattloop::twin {
namespace {

using Vector = std::array<double, 3>;

constexpr Vector rack_size_m = size_of(physics::NodeRack::box);
constexpr double rack_foot_m = 0.10;           // below the lowest node
constexpr double largest_node_pitch_m = 0.25;  // a node of five units
constexpr double node_width_m = 0.48;
constexpr double node_depth_m = 0.86;
constexpr double node_front_gap_m = 0.05;
constexpr double gpu_area_depth_m = 0.44;  // the front of a node's tray
constexpr int gpus_across = 4;
constexpr double door_depth_m = 0.14;
constexpr double hot_aisle_m = 1.8;
constexpr double cold_aisle_m = 1.2;
constexpr Vector cdu_size_m = size_of(physics::CduExchanger::box);
constexpr double cdu_gap_m = 0.35;  // between a row and its CDUs, and between CDUs
constexpr double header_diameter_m = 0.09;
constexpr double manifold_diameter_m = 0.05;
constexpr double header_height_m = 2.48;     // above the racks
constexpr double loop_header_rise_m = 0.30;  // between headers of different loops over one row
constexpr Vector pdu_size_m = size_of(electrical::Pdu::box);
constexpr double pdu_gap_m = 0.15;

int racks_per_row(const HallCounts& counts) { return (counts.racks + counts.rows - 1) / counts.rows; }

bool looks_to_plus_y(int row) { return row % 2 == 1; }

double row_centre_y_m(int row) {
  const double depth_m = rack_size_m[1];
  const double pair_pitch_m = 2 * depth_m + hot_aisle_m + cold_aisle_m;
  return depth_m / 2 + (row / 2) * pair_pitch_m + (looks_to_plus_y(row) ? depth_m + hot_aisle_m : 0.0);
}

/// A point given from the front of a row: `behind_front_m` into the rack, whichever way the row looks.
double y_m(int row, double behind_front_m) {
  const double from_centre_m = behind_front_m - rack_size_m[1] / 2;
  return row_centre_y_m(row) + (looks_to_plus_y(row) ? -from_centre_m : from_centre_m);
}

double rack_centre_x_m(int position) { return (position + 0.5) * rack_size_m[0]; }

class Draughtsman {
 public:
  explicit Draughtsman(const HallCounts& counts)
      : counts_(counts),
        row_begin_m_(counts.rows),
        row_end_m_(counts.rows, racks_per_row(counts) * rack_size_m[0]),
        loops_in_row_(counts.rows) {
    const std::size_t nodes = std::size_t(counts.racks) * std::max(counts.nodes_per_rack, 0);
    boxes_.reserve(counts.racks * 6 + nodes * (1 + std::max(counts.gpus_per_node, 0)));
  }

  std::vector<LayoutBox> draw() && {
    for (int index = 0; index < counts_.racks; ++index) draw_rack(index);
    for (int loop = 0; loop < counts_.loops; ++loop) draw_loop(loop);
    draw_network_racks();
    for (int side = 0; side < counts_.block_count(); ++side) draw_pdus(side);
    draw_surroundings(counts_, boxes_);
    return std::move(boxes_);
  }

 private:
  void draw_rack(int index) {
    const int row = index / racks_per_row(counts_);
    const double x_m = rack_centre_x_m(index % racks_per_row(counts_));
    const std::string rack = rack_name(counts_, index);
    boxes_.push_back({rack, "rack", "", {x_m, row_centre_y_m(row), rack_size_m[2] / 2}, rack_size_m});
    for (int node = 0; node < counts_.nodes_per_rack; ++node) draw_node(rack, row, x_m, node);
    draw_rear_door(rack, row, x_m);
  }

  void draw_rear_door(const std::string& rack, int row, double x_m) {
    if (!counts_.has_rear_doors) return;
    const double behind_m = rack_size_m[1] + door_depth_m / 2;
    boxes_.push_back({rack + ".rear_door",
                      "rear_door",
                      rack,
                      {x_m, y_m(row, behind_m), rack_size_m[2] / 2},
                      {rack_size_m[0] - 0.02, door_depth_m, rack_size_m[2] - 0.06}});
  }

  /// Behind the compute racks, in rows about as long as theirs.
  void draw_network_racks() {
    const int longest_row = std::max(racks_per_row(counts_) * 5 / 4, 8);
    const int rows = (counts_.network_racks + longest_row - 1) / longest_row;
    const int per_row = rows > 0 ? (counts_.network_racks + rows - 1) / rows : 0;
    for (int index = 0; index < counts_.network_racks; ++index) {
      const int row = counts_.rows + index / per_row;
      const double x_m = rack_centre_x_m(index % per_row);
      const std::string rack = fmt::format("network_rack_{}", index + 1);
      boxes_.push_back({rack, "network_rack", "network", {x_m, row_centre_y_m(row), rack_size_m[2] / 2}, rack_size_m});
      draw_rear_door(rack, row, x_m);
    }
  }

  /// At the ends of the rows: those of side a at the far end, those of side b beyond the CDUs, and so on.
  void draw_pdus(int side) {
    const bool is_far = side % 2 == 0;
    const BlockCounts block = counts_.block(side);
    const bool is_only_one = counts_.blocks.empty() && counts_.sides == 1;
    for (int index = 0; index < block.pdus; ++index) {
      const int row = int(static_cast<long long>(index) * counts_.rows / block.pdus);
      const double x_m =
          is_far ? after_row_m(row, pdu_size_m[0], pdu_gap_m) : before_row_m(row, pdu_size_m[0], pdu_gap_m);
      boxes_.push_back(
          {is_only_one ? fmt::format("pdu_{}", index + 1) : fmt::format("pdu_{}_{}", block.name, index + 1),
           "pdu",
           fmt::format("side_{}", block.name),
           {x_m, row_centre_y_m(row), pdu_size_m[2] / 2},
           pdu_size_m});
    }
  }

  /// Where the next thing of this width stands at the near end of a row, at the far end; it is then taken.
  double before_row_m(int row, double width_m, double gap_m) {
    double& begin_m = row_begin_m_[std::size_t(row)];
    begin_m -= gap_m + width_m;
    return begin_m + width_m / 2;
  }
  double after_row_m(int row, double width_m, double gap_m) {
    double& end_m = row_end_m_[std::size_t(row)];
    end_m += gap_m + width_m;
    return end_m - width_m / 2;
  }

  void draw_node(const std::string& rack, int row, double x_m, int node) {
    const double usable_m = rack_size_m[2] - 2 * rack_foot_m;
    const double pitch_m = std::min(largest_node_pitch_m, usable_m / counts_.nodes_per_rack);
    const double height_m = 0.84 * pitch_m;
    const double bottom_m = rack_foot_m + node * pitch_m;
    const std::string name = fmt::format("{}.node_{}", rack, node + 1);
    boxes_.push_back({name,
                      "node",
                      rack,
                      {x_m, y_m(row, node_front_gap_m + node_depth_m / 2), bottom_m + height_m / 2},
                      {node_width_m, node_depth_m, height_m}});
    const int across = std::clamp(counts_.gpus_per_node, 1, gpus_across);
    const int deep = (counts_.gpus_per_node + across - 1) / across;
    for (int gpu = 0; gpu < counts_.gpus_per_node; ++gpu) {
      const double column = (gpu % across + 0.5) / across - 0.5;
      const double line = (gpu / across + 0.5) / deep;
      boxes_.push_back({fmt::format("{}.gpu_{}", name, gpu + 1),
                        "gpu",
                        name,
                        {x_m + column * node_width_m, y_m(row, node_front_gap_m + line * gpu_area_depth_m),
                         bottom_m + 0.28 * height_m},
                        {0.80 * node_width_m / across, 0.76 * gpu_area_depth_m / deep, 0.40 * height_m}});
    }
  }

  /// Racks `first` to `last` of `row`, all of loop `loop`, with the headers that bring and take their
  /// coolant.
  void draw_branch(int loop, int row, int first, int last) {
    const double height_m = header_height_m + loop_header_rise_m * loops_in_row_[row]++;
    const double start_m = -cdu_gap_m - cdu_size_m[0] / 2;
    const double end_m = rack_centre_x_m(last) + 0.22;
    for (const bool supply : {true, false}) {
      const double header_y_m = y_m(row, supply ? 0.86 : 1.08);
      draw_pipe(loop, supply, {start_m, header_y_m, height_m}, {end_m, header_y_m, height_m}, header_diameter_m);
      for (int position = first; position <= last; ++position) {
        const double x_m = rack_centre_x_m(position) + (supply ? 0.14 : 0.22);
        const double manifold_y_m = y_m(row, supply ? 1.00 : 1.08);
        draw_pipe(loop, supply, {x_m, header_y_m, height_m}, {x_m, manifold_y_m, height_m}, manifold_diameter_m);
        draw_pipe(loop, supply, {x_m, manifold_y_m, rack_foot_m}, {x_m, manifold_y_m, height_m}, manifold_diameter_m);
      }
      draw_pipe(loop, supply, {start_m, header_y_m, cdu_size_m[2]}, {start_m, header_y_m, height_m}, header_diameter_m);
    }
  }

  void draw_loop(int loop) {
    pipes_.fill(0);
    std::vector<int> rows;
    int first = 0;
    for (int index = 0; index < counts_.racks; ++index) {
      if (loop_of_rack(counts_, index) != loop) continue;
      const int row = index / racks_per_row(counts_);
      const int position = index % racks_per_row(counts_);
      if (rows.empty() || rows.back() != row) {
        rows.push_back(row);
        first = position;
      }
      const bool ends = index + 1 == counts_.racks || loop_of_rack(counts_, index + 1) != loop ||
                        position + 1 == racks_per_row(counts_);
      if (ends) draw_branch(loop, row, first, position);
    }
    if (rows.empty()) rows.push_back(0);
    for (int cdu = 0; cdu < counts_.cdus_per_loop; ++cdu) draw_cdu(loop, cdu, rows[cdu % rows.size()]);
  }

  void draw_cdu(int loop, int cdu, int row) {
    const double x_m = before_row_m(row, cdu_size_m[0], cdu_gap_m);
    boxes_.push_back({fmt::format("cdu_{}", loop * counts_.cdus_per_loop + cdu + 1),
                      "cdu",
                      fmt::format("loop_{}", loop + 1),
                      {x_m, row_centre_y_m(row), cdu_size_m[2] / 2},
                      cdu_size_m});
  }

  void draw_pipe(int loop, bool supply, Vector from_m, Vector to_m, double diameter_m) {
    const std::string kind = supply ? "supply_pipe" : "return_pipe";
    const std::string parent = fmt::format("loop_{}", loop + 1);
    LayoutBox box{fmt::format("{}.{}_{}", parent, kind, ++pipes_[supply ? 0 : 1]), kind, parent, {}, {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.centre_m[axis] = (from_m[axis] + to_m[axis]) / 2;
      box.size_m[axis] = std::abs(to_m[axis] - from_m[axis]) + diameter_m;
    }
    boxes_.push_back(std::move(box));
  }

  const HallCounts& counts_;
  std::vector<double> row_begin_m_, row_end_m_;  // what stands there so far included
  std::vector<int> loops_in_row_;                // headers placed so far
  std::array<int, 2> pipes_{};                   // of the loop at hand: supply, return
  std::vector<LayoutBox> boxes_;
};

}  // namespace

std::string rack_name(const HallCounts& counts, int index) {
  const int per_row = racks_per_row(counts);
  return fmt::format("row_{}.rack_{}", index / per_row + 1, index % per_row + 1);
}

BlockCounts HallCounts::block(int number) const {
  if (!blocks.empty()) return blocks[std::size_t(number)];
  return {.name = side_letter(number),
          .substations = substations_per_side,
          .transformers = transformers_per_side,
          .ups = ups_per_side,
          .generators = generators_per_side,
          .pdus = pdus_per_side};
}

std::string side_letter(int side) { return std::string(1, char('a' + side)); }

int loop_of_rack(const HallCounts& counts, int index) {
  return int(static_cast<long long>(index) * counts.loops / counts.racks);
}

std::vector<LayoutBox> hall_layout(const HallCounts& counts) {
  if (counts.rows < 1 || counts.racks < 1) return {};
  return Draughtsman(counts).draw();
}

}  // namespace wattloop::twin
