#include "twin/build/floor/layout_surroundings.hpp"

#include "electrical/generator.hpp"
#include "electrical/substation.hpp"
#include "electrical/transformer.hpp"
#include "electrical/ups.hpp"
#include "physics/air/crah_unit.hpp"
#include "physics/water/chiller_machine.hpp"
#include "physics/water/tower_cell.hpp"
#include "twin/results/schema/layout_cells.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>

namespace wattloop::twin {
namespace {

using Vector = std::array<double, 3>;

constexpr Vector crah_size_m = size_of(physics::CrahUnit::box);
constexpr Vector ups_size_m = size_of(electrical::Ups::box);
constexpr Vector substation_size_m = size_of(electrical::Substation::box);
constexpr Vector transformer_size_m = size_of(electrical::Transformer::box);
constexpr Vector chiller_size_m = size_of(physics::ChillerMachine::box);
constexpr Vector tower_size_m = size_of(physics::TowerCell::box);
constexpr Vector generator_size_m = size_of(electrical::Generator::box);

constexpr double aisle_m = 1.2;     // from the rows to what stands along the walls
constexpr double wall_m = 0.8;      // from there to what stands beyond
constexpr double yard_gap_m = 2.0;  // before the yard and between its lines
constexpr double gap_m = 0.6;       // between neighbours
constexpr double yard_ratio = 1.8;  // width of the yard to that of the hall

/// The ground that is taken, seen from above.
struct Ground {
  std::array<double, 2> low_m{}, high_m{};
};

Ground ground_of(const std::vector<LayoutBox>& boxes) {
  Ground ground{{1e9, 1e9}, {-1e9, -1e9}};
  for (const LayoutBox& box : boxes) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      ground.low_m[axis] = std::min(ground.low_m[axis], box.centre_m[axis] - box.size_m[axis] / 2);
      ground.high_m[axis] = std::max(ground.high_m[axis], box.centre_m[axis] + box.size_m[axis] / 2);
    }
  }
  return ground;
}

/// Boxes that have no place yet.
std::vector<LayoutBox> numbered(const std::string& kind, int count, const Vector& size_m) {
  std::vector<LayoutBox> boxes;
  for (int index = 1; index <= count; ++index)
    boxes.push_back({fmt::format("{}_{}", kind, index), kind, "", {0, 0, size_m[2] / 2}, size_m});
  return boxes;
}

std::vector<LayoutBox> of_block(const std::string& kind, const std::string& block, int count, const Vector& size_m) {
  std::vector<LayoutBox> boxes = numbered(kind, count, size_m);
  for (std::size_t index = 0; index < boxes.size(); ++index) {
    const bool is_numbered = count > 1 || kind == "generator";
    boxes[index].parent = "side_" + block;
    boxes[index].name =
        is_numbered ? fmt::format("{}_{}_{}", kind, block, index + 1) : fmt::format("{}_{}", kind, block);
  }
  return boxes;
}

void append(std::vector<LayoutBox>& boxes, std::vector<LayoutBox> more) {
  std::move(more.begin(), more.end(), std::back_inserter(boxes));
}

/// A wall at an end of the rows, along which boxes of one size stand; where it ends they go on in a second
/// line.
struct Wall {
  double begin_m = 0.0, end_m = 0.0;  // along y
  double x_m = 0.0;                   // face of the first line
  double outward = 1.0;               // which way further lines go
};

void line_up(std::vector<LayoutBox>& boxes, const Wall& wall, std::vector<LayoutBox> along, double gap) {
  if (along.empty()) return;
  const Vector& size_m = along.front().size_m;
  const double pitch_m = size_m[1] + gap;
  const int per_line = std::max(int((wall.end_m - wall.begin_m + gap + 1e-9) / pitch_m), 1);
  for (int index = 0; index < int(along.size()); ++index) {
    LayoutBox& box = along[std::size_t(index)];
    box.centre_m[0] = wall.x_m + wall.outward * (size_m[0] / 2 + index / per_line * (size_m[0] + gap_m));
    box.centre_m[1] = wall.begin_m + size_m[1] / 2 + index % per_line * pitch_m;
  }
  append(boxes, std::move(along));
}

/// Half of them along each wall at the ends of the rows, evenly spread.
void draw_crahs(const std::vector<LayoutBox>& all, const Ground& hall, std::vector<LayoutBox>& boxes) {
  const auto half = all.begin() + long(all.size() / 2);
  const double length_m = hall.high_m[1] - hall.low_m[1];
  for (const bool is_near : {true, false}) {
    std::vector<LayoutBox> along(is_near ? all.begin() : half, is_near ? half : all.end());
    if (along.empty()) continue;
    const double gap = std::max(length_m / double(along.size()) - crah_size_m[1], gap_m);
    const Wall wall{hall.low_m[1] + gap / 2, hall.high_m[1],
                    is_near ? hall.low_m[0] - aisle_m : hall.high_m[0] + aisle_m, is_near ? -1.0 : 1.0};
    line_up(boxes, wall, std::move(along), gap);
  }
}

/// Of several rooms the ground of each, from wall to wall across the hall.
std::vector<Ground> grounds_of_rooms(const HallFloor& counts, const Ground& hall, const std::vector<LayoutBox>& boxes) {
  std::map<std::string, int> room_of;
  for (const RackOnFloor& rack : counts.racks) room_of.emplace(rack.name, rack.room);
  int number = 0;
  for (std::size_t room = 0; room < counts.rooms.size(); ++room) {
    for (int rack = 0; rack < counts.rooms[room].network_racks; ++rack)
      room_of.emplace(fmt::format("network_rack_{}", ++number), int(room));
  }
  std::vector<Ground> grounds(counts.rooms.size(), {{hall.low_m[0], 1e9}, {hall.high_m[0], -1e9}});
  for (const LayoutBox& box : boxes) {
    const bool is_door = box.kind == "rear_door";
    if (box.kind != "rack" && box.kind != "network_rack" && !is_door) continue;
    Ground& ground = grounds[std::size_t(room_of.at(is_door ? box.parent : box.name))];
    ground.low_m[1] = std::min(ground.low_m[1], box.centre_m[1] - box.size_m[1] / 2);
    ground.high_m[1] = std::max(ground.high_m[1], box.centre_m[1] + box.size_m[1] / 2);
  }
  return grounds;
}

/// Its floor, under all that stands in it.
LayoutBox floor_of(const std::string& name, const Ground& ground) {
  constexpr double thick_m = 0.003, below_m = 0.001, margin_m = 0.45;
  LayoutBox floor{name, "room", "", {0, 0, -below_m - thick_m / 2}, {0, 0, thick_m}};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    floor.centre_m[axis] = 0.5 * (ground.low_m[axis] + ground.high_m[axis]);
    floor.size_m[axis] = ground.high_m[axis] - ground.low_m[axis] + 2.0 * margin_m;
  }
  return floor;
}

/// Rooms with their air handlers, which are counted through the hall.
void draw_rooms(const HallFloor& counts, const Ground& hall, std::vector<LayoutBox>& boxes) {
  std::vector<LayoutBox> all = numbered("crah", counts.crahs, crah_size_m);
  if (counts.rooms.empty()) return draw_crahs(all, hall, boxes);
  const std::vector<Ground> grounds = grounds_of_rooms(counts, hall, boxes);
  auto first = all.begin();
  for (std::size_t room = 0; room < grounds.size(); ++room) {
    const auto end = first + counts.rooms[room].crahs;
    draw_crahs({first, end}, grounds[room], boxes);
    first = end;
  }
  const Ground walls = ground_of(boxes);
  for (std::size_t room = 0; room < grounds.size(); ++room) {
    Ground ground = grounds[room];
    ground.low_m[0] = walls.low_m[0];
    ground.high_m[0] = walls.high_m[0];
    boxes.push_back(floor_of(counts.rooms[room].name, ground));
  }
}

/// A line of cabinets, no longer than the wall that it stands behind: in a hall of one row, one cabinet.
Vector ups_size_in(const Ground& hall) {
  constexpr double cabinet_m = 1.2;
  const double length_m = hall.high_m[1] - hall.low_m[1];
  return {ups_size_m[0], std::clamp(length_m, cabinet_m, ups_size_m[1]), ups_size_m[2]};
}

/// Behind the walls: sides a, c ... at the far end of the rows, b, d ... at the near one.
void draw_ups(const HallFloor& counts, int side, const Ground& hall, std::vector<LayoutBox>& boxes) {
  const Ground taken = ground_of(boxes);
  const bool is_far = side % 2 == 0;
  const Wall wall{hall.low_m[1], hall.high_m[1], is_far ? taken.high_m[0] + wall_m : taken.low_m[0] - wall_m,
                  is_far ? 1.0 : -1.0};
  const BlockCounts block = counts.block(side);
  line_up(boxes, wall, of_block("ups", block.name, block.ups, ups_size_in(hall)), gap_m);
}

/// The yard, filled line by line from the hall outwards.
class Yard {
 public:
  explicit Yard(const Ground& front)
      : middle_m_((front.low_m[0] + front.high_m[0]) / 2),
        width_m_(yard_ratio * (front.high_m[0] - front.low_m[0])),
        edge_m_(front.high_m[1] + yard_gap_m) {}

  /// One line, or as many as are needed, each in the middle.
  void add(std::vector<LayoutBox> band) {
    for (std::size_t first = 0; first < band.size();) {
      double used_m = band[first].size_m[0];
      std::size_t end = first + 1;
      for (; end < band.size() && used_m + gap_m + band[end].size_m[0] <= width_m_; ++end)
        used_m += gap_m + band[end].size_m[0];
      double x_m = middle_m_ - used_m / 2, depth_m = 0.0;
      for (; first < end; ++first) {
        LayoutBox& box = band[first];
        box.centre_m[0] = x_m + box.size_m[0] / 2;
        box.centre_m[1] = edge_m_ + box.size_m[1] / 2;
        x_m += box.size_m[0] + gap_m;
        depth_m = std::max(depth_m, box.size_m[1]);
      }
      edge_m_ += depth_m + yard_gap_m;
    }
    append(boxes_, std::move(band));
  }

  /// Kind by kind and side by side, by number, parts that a scenario names in its order: that in which results hold them.
  std::vector<LayoutBox> boxes() && {
    const auto key = [](const LayoutBox& box) {
      if (box.parent == yard_parent)
        return std::tuple(std::string_view(box.kind), std::string_view(box.parent), std::size_t{0}, std::string_view());
      return std::tuple(std::string_view(box.kind), std::string_view(box.parent), box.name.size(),
                        std::string_view(box.name));
    };
    std::stable_sort(boxes_.begin(), boxes_.end(),
                     [&](const LayoutBox& a, const LayoutBox& b) { return key(a) < key(b); });
    return std::move(boxes_);
  }

 private:
  double middle_m_, width_m_, edge_m_;
  std::vector<LayoutBox> boxes_;
};

/// Equipment of the sides in one line: b, d ... at the near end, a, c ... at the far one, `between` in the
/// middle.
std::vector<LayoutBox> side_by_side(const HallFloor& counts, std::vector<LayoutBox> between, const auto& equipment_of) {
  std::vector<LayoutBox> near, far;
  for (int side = 0; side < counts.block_count(); ++side) append(side % 2 == 0 ? far : near, equipment_of(side));
  append(near, std::move(between));
  append(near, std::move(far));
  return near;
}

/// Parts of a room, kind by kind behind the wall at the far end of its rows.
void draw_parts_of_rooms(const HallFloor& counts, const Ground& hall, std::vector<LayoutBox>& boxes) {
  std::map<std::tuple<int, std::string, double>, std::vector<LayoutBox>> lines;
  for (const PlacedPart& part : counts.others) {
    if (part.box.place != BoxPlace::room) continue;
    const Vector size_m = size_of(part.box);
    lines[{part.room, part.kind, size_m[1]}].push_back(
        {part.name, part.kind, std::string(hall_parent), {0, 0, size_m[2] / 2}, size_m});
  }
  if (lines.empty()) return;
  const std::vector<Ground> rooms = counts.rooms.empty() ? std::vector{hall} : grounds_of_rooms(counts, hall, boxes);
  for (auto& [of, line] : lines) {
    const Ground& room = rooms[std::size_t(std::get<int>(of))];
    line_up(boxes, {room.low_m[1], room.high_m[1], ground_of(boxes).high_m[0] + wall_m, 1.0}, std::move(line), gap_m);
  }
}

void draw_yard(const HallFloor& counts, std::vector<LayoutBox>& boxes) {
  Yard yard(ground_of(boxes));
  yard.add(side_by_side(counts, numbered("chiller", counts.chillers, chiller_size_m), [&](int side) {
    const BlockCounts block = counts.block(side);
    std::vector<LayoutBox> equipment = of_block("transformer", block.name, block.transformers, transformer_size_m);
    append(equipment, of_block("substation", block.name, block.substations, substation_size_m));
    if (side % 2 == 0) std::reverse(equipment.begin(), equipment.end());
    return equipment;
  }));
  yard.add(numbered("tower", counts.towers, tower_size_m));
  std::vector<LayoutBox> others;
  for (const PlacedPart& part : counts.others)
    if (part.box.place == BoxPlace::yard)
      others.push_back(
          {part.name, part.kind, std::string(yard_parent), {0, 0, part.box.height_m / 2}, size_of(part.box)});
  yard.add(std::move(others));
  yard.add(side_by_side(counts, {}, [&](int side) {
    const BlockCounts block = counts.block(side);
    return of_block("generator", block.name, block.generators, generator_size_m);
  }));
  append(boxes, std::move(yard).boxes());
}

}  // namespace

void draw_surroundings(const HallFloor& counts, std::vector<LayoutBox>& boxes) {
  if (boxes.empty()) return;
  const Ground hall = ground_of(boxes);
  draw_rooms(counts, hall, boxes);
  for (int side = 0; side < counts.block_count(); ++side) draw_ups(counts, side, hall, boxes);
  draw_parts_of_rooms(counts, hall, boxes);
  draw_yard(counts, boxes);
}

}  // namespace wattloop::twin
