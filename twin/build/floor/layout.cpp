#include "twin/build/floor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "core/text/letter_name.hpp"
#include "electrical/pdu.hpp"
#include "physics/units/node_rack.hpp"
#include "physics/water/cdu_exchanger.hpp"
#include "twin/build/floor/layout_surroundings.hpp"
#include "twin/results/schema/layout_cells.hpp"

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
constexpr double between_rooms_m = 2.4;  // walls, and their names on plans

/// Of the rows of racks, the longest if several.
std::vector<int> row_lengths(const HallFloor& counts) {
  std::vector<int> lengths;
  for (const RackOnFloor& rack : counts.racks) {
    lengths.resize(std::max(lengths.size(), std::size_t(rack.row) + 1));
    lengths[std::size_t(rack.row)] = std::max(lengths[std::size_t(rack.row)], rack.place + 1);
  }
  return lengths;
}

/// Where a row stands: its number from the front of the hall, and the walls before it.
struct RowPlace {
  int number = 0;
  int walls = 0;
};

bool looks_to_plus_y(const RowPlace& row) { return row.number % 2 == 1; }

double row_centre_y_m(const RowPlace& row) {
  const double depth_m = rack_size_m[1];
  const double pair_pitch_m = 2 * depth_m + hot_aisle_m + cold_aisle_m;
  return depth_m / 2 + (row.number / 2) * pair_pitch_m + (looks_to_plus_y(row) ? depth_m + hot_aisle_m : 0.0) +
         row.walls * between_rooms_m;
}

/// A point given from the front of a row: `behind_front_m` into the rack, whichever way the row looks.
double y_m(const RowPlace& row, double behind_front_m) {
  const double from_centre_m = behind_front_m - rack_size_m[1] / 2;
  return row_centre_y_m(row) + (looks_to_plus_y(row) ? -from_centre_m : from_centre_m);
}

double rack_centre_x_m(int position) { return (position + 0.5) * rack_size_m[0]; }

/// A part between the racks of a row: after so many of them.
struct PartInRow {
  const PlacedPart* part;
  int racks_before = 0;
};

/// Parts between the racks of each row, evenly spread. [row][part]
std::vector<std::vector<PartInRow>> parts_in_rows(const HallFloor& counts, const std::vector<int>& row_length,
                                                  const std::vector<int>& row_room) {
  std::vector<std::vector<PartInRow>> in_rows(row_length.size());
  std::map<int, std::size_t> placed;  // in each room
  for (const PlacedPart& part : counts.others) {
    if (part.box.place != BoxPlace::row) continue;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < row_room.size(); ++row)
      if (part.row < 0 ? row_room[row] == part.room : int(row) == part.row) rows.push_back(row);
    if (rows.empty()) rows.push_back(0);  // switches alone stand in its room
    in_rows[rows[placed[part.room]++ % rows.size()]].push_back({&part});
  }
  for (std::size_t row = 0; row < in_rows.size(); ++row) {
    const int parts = int(in_rows[row].size());
    for (int k = 0; k < parts; ++k)
      in_rows[row][std::size_t(k)].racks_before = int(std::lround(double(k + 1) * row_length[row] / (parts + 1)));
  }
  return in_rows;
}

double width_m(const std::vector<PartInRow>& parts, int racks_before = std::numeric_limits<int>::max()) {
  double sum_m = 0.0;
  for (const PartInRow& one : parts)
    if (one.racks_before <= racks_before) sum_m += one.part->box.width_m;
  return sum_m;
}

/// Puts boxes of these parts, kind by kind, into their order, wherever they stand.
void order_as(const std::vector<PlacedPart>& parts, std::vector<LayoutBox>& boxes) {
  std::map<std::string_view, std::size_t> number;
  for (const PlacedPart& part : parts) number.emplace(part.name, number.size());
  std::map<std::string, std::vector<std::size_t>> places;  // of the boxes of a kind
  for (std::size_t k = 0; k < boxes.size(); ++k)
    if (number.contains(boxes[k].name)) places[boxes[k].kind].push_back(k);
  for (const auto& [kind, at] : places) {
    std::vector<LayoutBox> sorted;
    for (const std::size_t k : at) sorted.push_back(std::move(boxes[k]));
    std::ranges::sort(sorted, {}, [&](const LayoutBox& box) { return number.at(box.name); });
    for (std::size_t k = 0; k < at.size(); ++k) boxes[at[k]] = std::move(sorted[k]);
  }
}

class Draughtsman {
 public:
  explicit Draughtsman(const HallFloor& counts)
      : counts_(counts),
        row_length_(row_lengths(counts)),
        longest_row_(std::ranges::max(row_length_)),
        row_begin_m_(row_length_.size()),
        loops_in_row_(row_length_.size()),
        row_room_(row_length_.size()) {
    for (const RackOnFloor& rack : counts.racks) row_room_[std::size_t(rack.row)] = rack.room;
    row_parts_ = parts_in_rows(counts, row_length_, row_room_);
    double end_m = 0.0;
    for (const auto& parts : row_parts_) end_m = std::max(end_m, longest_row_ * rack_size_m[0] + width_m(parts));
    row_end_m_.assign(row_length_.size(), end_m);
    place_rows();
    std::size_t boxes = counts.racks.size() * 6;
    for (const RackOnFloor& rack : counts.racks) boxes += rack.nodes * (1 + std::max(rack.gpus_per_node, 0));
    boxes_.reserve(boxes);
  }

  std::vector<LayoutBox> draw() && {
    for (const RackOnFloor& rack : counts_.racks) draw_rack(rack);
    for (int loop = 0; loop < int(counts_.loops.size()); ++loop) draw_loop(loop);
    for (int room = 0; room < room_count(); ++room) draw_network_racks(room);
    for (int side = 0; side < counts_.block_count(); ++side) draw_pdus(side);
    for (std::size_t row = 0; row < row_parts_.size(); ++row) draw_parts(int(row));
    draw_surroundings(counts_, boxes_);
    order_as(counts_.others, boxes_);
    return std::move(boxes_);
  }

 private:
  double rack_x_m(int row, int place) const {
    return rack_centre_x_m(place) + width_m(row_parts_[std::size_t(row)], place);
  }

  void draw_parts(int row) {
    double before_m = 0.0;
    for (const auto& [part, racks_before] : row_parts_[std::size_t(row)]) {
      const Vector size = size_of(part->box);
      const double x_m = racks_before * rack_size_m[0] + before_m + size[0] / 2;
      boxes_.push_back({part->name,
                        part->kind,
                        std::string(hall_parent),
                        {x_m, y_m(place_of(row), size[1] / 2), size[2] / 2},
                        size});
      before_m += size[0];
    }
  }

  void draw_rack(const RackOnFloor& rack) {
    const double x_m = rack_x_m(rack.row, rack.place);
    boxes_.push_back(
        {rack.name, "rack", "", {x_m, row_centre_y_m(place_of(rack.row)), rack_size_m[2] / 2}, rack_size_m});
    for (int node = 0; node < rack.nodes; ++node) draw_node(rack, x_m, node);
    if (rack.has_rear_door) draw_rear_door(rack.name, place_of(rack.row), x_m);
  }

  int room_count() const { return std::max(int(counts_.rooms.size()), 1); }
  int network_racks_in(int room) const {
    return counts_.rooms.empty() ? counts_.network_racks : counts_.rooms[std::size_t(room)].network_racks;
  }
  /// Rows of racks of switches in a room: about as long as its others.
  int network_rows_in(int room) const {
    const int longest_row = std::max(longest_row_ * 5 / 4, 8);
    return (network_racks_in(room) + longest_row - 1) / longest_row;
  }

  /// Room after room, in pairs of rows; racks of switches behind the others.
  void place_rows() {
    row_place_.resize(row_length_.size());
    network_place_.resize(std::size_t(room_count()));
    int number = 0;
    for (int room = 0; room < room_count(); ++room) {
      number += number % 2;
      for (std::size_t row = 0; row < row_place_.size(); ++row)
        if (row_room_[row] == room) row_place_[row] = {number++, room};
      network_place_[std::size_t(room)] = {number, room};
      number += network_rows_in(room);
    }
  }

  const RowPlace& place_of(int row) const { return row_place_[std::size_t(row)]; }

  void draw_rear_door(const std::string& rack, const RowPlace& row, double x_m) {
    const double behind_m = rack_size_m[1] + door_depth_m / 2;
    boxes_.push_back({rack + ".rear_door",
                      "rear_door",
                      rack,
                      {x_m, y_m(row, behind_m), rack_size_m[2] / 2},
                      {rack_size_m[0] - 0.02, door_depth_m, rack_size_m[2] - 0.06}});
  }

  /// Behind the compute racks of their room.
  void draw_network_racks(int room) {
    const int racks = network_racks_in(room), rows = network_rows_in(room);
    const int per_row = rows > 0 ? (racks + rows - 1) / rows : 0;
    for (int index = 0; index < racks; ++index) {
      RowPlace row = network_place_[std::size_t(room)];
      row.number += index / per_row;
      const double x_m = rack_centre_x_m(index % per_row);
      const std::string rack = fmt::format("network_rack_{}", ++network_racks_);
      boxes_.push_back({rack, "network_rack", "network", {x_m, row_centre_y_m(row), rack_size_m[2] / 2}, rack_size_m});
      if (counts_.has_rear_doors) draw_rear_door(rack, row, x_m);
    }
  }

  /// At the ends of the rows: those of side a at the far end, those of side b beyond the CDUs, and so on.
  void draw_pdus(int side) {
    const bool is_far = side % 2 == 0;
    const BlockCounts block = counts_.block(side);
    const bool is_only_one = counts_.blocks.empty() && counts_.sides == 1;
    for (int index = 0; index < block.pdus; ++index) {
      const int row = row_of_pdu(block, index);
      const double x_m =
          is_far ? after_row_m(row, pdu_size_m[0], pdu_gap_m) : before_row_m(row, pdu_size_m[0], pdu_gap_m);
      boxes_.push_back(
          {is_only_one ? fmt::format("pdu_{}", index + 1) : fmt::format("pdu_{}_{}", block.name, index + 1),
           "pdu",
           fmt::format("side_{}", block.name),
           {x_m, row_centre_y_m(place_of(row)), pdu_size_m[2] / 2},
           pdu_size_m});
    }
  }

  /// PDUs of a room are spread over its rows.
  int row_of_pdu(const BlockCounts& block, int index) const {
    const int room = block.pdu_rooms.empty() ? 0 : block.pdu_rooms[std::size_t(index)];
    std::vector<int> rows;
    for (std::size_t row = 0; row < row_room_.size(); ++row)
      if (row_room_[row] == room) rows.push_back(int(row));
    int before = index, all = block.pdus;
    if (!block.pdu_rooms.empty()) {
      before = int(std::count(block.pdu_rooms.begin(), block.pdu_rooms.begin() + index, room));
      all = int(std::ranges::count(block.pdu_rooms, room));
    }
    if (rows.empty()) return 0;  // switches alone stand there
    return rows[std::size_t(static_cast<long long>(before) * int(rows.size()) / all)];
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

  void draw_node(const RackOnFloor& rack, double x_m, int node) {
    const double usable_m = rack_size_m[2] - 2 * rack_foot_m;
    const double pitch_m = std::min(largest_node_pitch_m, usable_m / rack.nodes);
    const double height_m = 0.84 * pitch_m;
    const double bottom_m = rack_foot_m + node * pitch_m;
    const int row = rack.row;
    const std::string name = fmt::format("{}.node_{}", rack.name, node + 1);
    boxes_.push_back({name,
                      "node",
                      rack.name,
                      {x_m, y_m(place_of(row), node_front_gap_m + node_depth_m / 2), bottom_m + height_m / 2},
                      {node_width_m, node_depth_m, height_m}});
    const int across = std::clamp(rack.gpus_per_node, 1, gpus_across);
    const int deep = (rack.gpus_per_node + across - 1) / across;
    for (int gpu = 0; gpu < rack.gpus_per_node; ++gpu) {
      const double column = (gpu % across + 0.5) / across - 0.5;
      const double line = (gpu / across + 0.5) / deep;
      boxes_.push_back({fmt::format("{}.gpu_{}", name, gpu + 1),
                        "gpu",
                        name,
                        {x_m + column * node_width_m, y_m(place_of(row), node_front_gap_m + line * gpu_area_depth_m),
                         bottom_m + 0.28 * height_m},
                        {0.80 * node_width_m / across, 0.76 * gpu_area_depth_m / deep, 0.40 * height_m}});
    }
  }

  /// Racks `first` to `last` of `row`, all of loop `loop`, with the headers that bring and take their
  /// coolant.
  void draw_branch(int loop, int row, int first, int last) {
    const double height_m = header_height_m + loop_header_rise_m * loops_in_row_[row]++;
    const double start_m = -cdu_gap_m - cdu_size_m[0] / 2;
    const double end_m = rack_x_m(row, last) + 0.22;
    for (const bool supply : {true, false}) {
      const double header_y_m = y_m(place_of(row), supply ? 0.86 : 1.08);
      draw_pipe(loop, supply, {start_m, header_y_m, height_m}, {end_m, header_y_m, height_m}, header_diameter_m);
      for (int position = first; position <= last; ++position) {
        const double x_m = rack_x_m(row, position) + (supply ? 0.14 : 0.22);
        const double manifold_y_m = y_m(place_of(row), supply ? 1.00 : 1.08);
        draw_pipe(loop, supply, {x_m, header_y_m, height_m}, {x_m, manifold_y_m, height_m}, manifold_diameter_m);
        draw_pipe(loop, supply, {x_m, manifold_y_m, rack_foot_m}, {x_m, manifold_y_m, height_m}, manifold_diameter_m);
      }
      draw_pipe(loop, supply, {start_m, header_y_m, cdu_size_m[2]}, {start_m, header_y_m, height_m}, header_diameter_m);
    }
  }

  void draw_loop(int loop) {
    pipes_.fill(0);
    std::vector<int> rows;
    const std::vector<RackOnFloor>& racks = counts_.racks;
    std::size_t first = 0;
    for (std::size_t index = 0; index < racks.size(); ++index) {
      if (racks[index].loop != loop) continue;
      const int row = racks[index].row;
      const bool begins = index == 0 || racks[index - 1].loop != loop || racks[index - 1].row != row;
      if (begins) first = index;
      if (rows.empty() || rows.back() != row) rows.push_back(row);
      const bool ends = index + 1 == racks.size() || racks[index + 1].loop != loop || racks[index + 1].row != row;
      if (ends) draw_branch(loop, row, racks[first].place, racks[index].place);
    }
    if (rows.empty()) rows.push_back(0);
    for (int cdu = 0; cdu < counts_.loops[loop].cdus; ++cdu) draw_cdu(loop, rows[cdu % rows.size()]);
  }

  void draw_cdu(int loop, int row) {
    const double x_m = before_row_m(row, cdu_size_m[0], cdu_gap_m);
    boxes_.push_back({fmt::format("cdu_{}", ++cdus_),
                      "cdu",
                      counts_.loops[loop].name,
                      {x_m, row_centre_y_m(place_of(row)), cdu_size_m[2] / 2},
                      cdu_size_m});
  }

  void draw_pipe(int loop, bool supply, Vector from_m, Vector to_m, double diameter_m) {
    const std::string kind = supply ? "supply_pipe" : "return_pipe";
    const std::string parent = counts_.loops[loop].name;
    LayoutBox box{fmt::format("{}.{}_{}", parent, kind, ++pipes_[supply ? 0 : 1]), kind, parent, {}, {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.centre_m[axis] = (from_m[axis] + to_m[axis]) / 2;
      box.size_m[axis] = std::abs(to_m[axis] - from_m[axis]) + diameter_m;
    }
    boxes_.push_back(std::move(box));
  }

  const HallFloor& counts_;
  std::vector<int> row_length_;  // racks
  int longest_row_;
  std::vector<double> row_begin_m_, row_end_m_;  // what stands there so far included
  std::vector<int> loops_in_row_;                // headers placed so far
  std::array<int, 2> pipes_{};                   // of the loop present: supply, return
  std::vector<int> row_room_;
  std::vector<std::vector<PartInRow>> row_parts_;
  std::vector<RowPlace> row_place_, network_place_;  // of rows of racks; of the first of switches in each room
  int cdus_ = 0, network_racks_ = 0;                 // drawn so far
  std::vector<LayoutBox> boxes_;
};

}  // namespace

BlockCounts HallFloor::block(int number) const {
  if (!blocks.empty()) return blocks[std::size_t(number)];
  return {.name = side_letter(number),
          .substations = substations_per_side,
          .transformers = transformers_per_side,
          .ups = ups_per_side,
          .generators = generators_per_side,
          .pdus = pdus_per_side,
          .pdu_rooms = pdu_rooms_of_sides.empty() ? std::vector<int>{} : pdu_rooms_of_sides[std::size_t(number)]};
}

std::string side_letter(int side) { return letter_name(std::size_t(side)); }

std::vector<LayoutBox> hall_layout(const HallFloor& counts) {
  if (counts.racks.empty()) return {};
  return Draughtsman(counts).draw();
}

}  // namespace wattloop::twin
