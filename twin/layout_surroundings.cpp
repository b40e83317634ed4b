#include "twin/layout_surroundings.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace wattloop::twin {
namespace {

using Vector = std::array<double, 3>;

constexpr Vector crah_size_m{0.90, 2.60, 2.00};        // its coil faces the hall
constexpr Vector ups_size_m{1.20, 7.50, 2.00};         // a line of cabinets
constexpr Vector substation_size_m{2.40, 7.50, 2.60};  // switchgear and dry transformers
constexpr Vector transformer_size_m{4.00, 5.50, 4.00};
constexpr Vector chiller_size_m{4.60, 1.90, 2.30};
constexpr Vector tower_size_m{3.60, 3.60, 4.40};
constexpr Vector generator_size_m{2.40, 7.00, 3.00};

constexpr double aisle_m = 1.2;     // from the rows to what stands along the walls
constexpr double wall_m = 0.8;      // from there to what stands beyond
constexpr double yard_gap_m = 2.0;  // between bands of the yard
constexpr double gap_m = 0.6;       // between neighbours
constexpr double tower_gap_m = 0.2;

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

struct Equipment {
  std::string kind, parent;
  std::vector<std::string> names;
  Vector size_m;
};

Equipment numbered(const std::string& kind, int count, const Vector& size_m) {
  Equipment equipment{kind, "", {}, size_m};
  for (int index = 1; index <= count; ++index) equipment.names.push_back(fmt::format("{}_{}", kind, index));
  return equipment;
}

Equipment of_side(const std::string& kind, int side, int count, const Vector& size_m) {
  const std::string letter = side_letter(side);
  Equipment equipment{kind, "side_" + letter, {}, size_m};
  const bool is_numbered = count > 1 || kind == "generator";
  for (int index = 1; index <= count; ++index)
    equipment.names.push_back(is_numbered ? fmt::format("{}_{}_{}", kind, letter, index)
                                          : fmt::format("{}_{}", kind, letter));
  return equipment;
}

/// A strip of ground that is filled with boxes one after the other along an axis; where the strip ends they
/// go on in a further line.
struct Strip {
  std::size_t along = 0;          // axis
  double begin_m = 0, end_m = 0;  // along it
  double edge_m = 0;              // across it: where the first line begins
  double outward = 1.0;           // which way further lines go
  double gap = gap_m;             // between neighbours

  /// How many stand in one line; one at least.
  int per_line(const Vector& size_m) const {
    return std::max(int((end_m - begin_m + gap + 1e-9) / (size_m[along] + gap)), 1);
  }
};

/// Fills the strip; returns where it ends across.
double fill(std::vector<LayoutBox>& boxes, const Strip& strip, const Equipment& equipment) {
  const Vector& size_m = equipment.size_m;
  const std::size_t across = 1 - strip.along;
  const int per_line = strip.per_line(size_m);
  double outer_m = strip.edge_m;
  for (int index = 0; index < int(equipment.names.size()); ++index) {
    const int line = index / per_line;
    LayoutBox box{equipment.names[std::size_t(index)], equipment.kind, equipment.parent, {}, size_m};
    box.centre_m[strip.along] =
        strip.begin_m + size_m[strip.along] / 2 + index % per_line * (size_m[strip.along] + strip.gap);
    const double inner_m = strip.edge_m + strip.outward * line * (size_m[across] + strip.gap);
    outer_m = inner_m + strip.outward * size_m[across];
    box.centre_m[across] = (inner_m + outer_m) / 2;
    box.centre_m[2] = size_m[2] / 2;
    boxes.push_back(box);
  }
  return outer_m;
}

/// Half of them along each wall at the ends of the rows, evenly spread.
void draw_crahs(const HallCounts& counts, const Ground& hall, std::vector<LayoutBox>& boxes) {
  const Equipment all = numbered("crah", counts.crahs, crah_size_m);
  const std::size_t at_near_end = all.names.size() / 2;
  for (const bool is_near : {true, false}) {
    Equipment wall = all;
    const auto half = all.names.begin() + long(at_near_end);
    wall.names = is_near ? std::vector(all.names.begin(), half) : std::vector(half, all.names.end());
    if (wall.names.empty()) continue;
    const double length_m = hall.high_m[1] - hall.low_m[1];
    const double pitch_m = std::max(length_m / double(wall.names.size()), crah_size_m[1] + gap_m);
    const double gap = pitch_m - crah_size_m[1];
    fill(boxes,
         {.along = 1,
          .begin_m = hall.low_m[1] + gap / 2,
          .end_m = hall.high_m[1],
          .edge_m = is_near ? hall.low_m[0] - aisle_m : hall.high_m[0] + aisle_m,
          .outward = is_near ? -1.0 : 1.0,
          .gap = gap},
         wall);
  }
}

/// Beside the hall: the UPS next to the wall, substations and transformers beyond; sides a, c ... at the far
/// end of the rows, b, d ... at the near one.
void draw_side(const HallCounts& counts, int side, const Ground& hall, std::vector<LayoutBox>& boxes) {
  const Ground taken = ground_of(boxes);
  const double outward = side % 2 == 0 ? 1.0 : -1.0;
  Strip strip{.along = 1,
              .begin_m = hall.low_m[1],
              .end_m = hall.high_m[1],
              .edge_m = (side % 2 == 0 ? taken.high_m[0] : taken.low_m[0]) + outward * wall_m,
              .outward = outward};
  const auto line_up = [&](const char* kind, int count, const Vector& size_m) {
    if (count > 0)
      strip.edge_m = fill(boxes, strip, of_side(kind, side, count, size_m)) + outward * aisle_m;
  };
  line_up("ups", counts.ups_per_side, ups_size_m);
  line_up("substation", counts.substations_per_side, substation_size_m);
  line_up("transformer", counts.transformers_per_side, transformer_size_m);
}

/// Fills a band of the yard from its middle outwards; returns where it ends.
double fill_centred(std::vector<LayoutBox>& boxes, Strip band, const Equipment& equipment) {
  const int per_line = std::min(band.per_line(equipment.size_m), int(equipment.names.size()));
  const double used_m = per_line * (equipment.size_m[0] + band.gap) - band.gap;
  const double spare_m = std::max(band.end_m - band.begin_m - used_m, 0.0);
  band.begin_m += spare_m / 2;
  return fill(boxes, band, equipment);
}

/// Behind the hall, band after band over the width of all that stands before it; the generators of each side
/// on its own side of the last.
void draw_yard(const HallCounts& counts, std::vector<LayoutBox>& boxes) {
  const Ground front = ground_of(boxes);
  const double begin_m = front.low_m[0];
  const double width_m = std::max(front.high_m[0] - begin_m, 2 * chiller_size_m[0] + gap_m);
  double edge_m = front.high_m[1] + yard_gap_m;
  const auto line_up = [&](const Equipment& equipment, double gap) {
    if (equipment.names.empty()) return;
    const Strip band{.along = 0, .begin_m = begin_m, .end_m = begin_m + width_m, .edge_m = edge_m, .gap = gap};
    edge_m = fill_centred(boxes, band, equipment) + yard_gap_m;
  };
  line_up(numbered("chiller", counts.chillers, chiller_size_m), gap_m);
  line_up(numbered("tower", counts.towers, tower_size_m), tower_gap_m);
  for (int side = 0; side < counts.sides && counts.generators_per_side > 0; ++side) {
    const double share_m = width_m / counts.sides;
    const Strip part{.along = 0,
                     .begin_m = begin_m + (counts.sides - 1 - side) * share_m,
                     .end_m = begin_m + (counts.sides - side) * share_m - gap_m,
                     .edge_m = edge_m};
    fill_centred(boxes, part, of_side("generator", side, counts.generators_per_side, generator_size_m));
  }
}

}  // namespace

void draw_surroundings(const HallCounts& counts, std::vector<LayoutBox>& boxes) {
  if (boxes.empty()) return;
  const Ground hall = ground_of(boxes);
  draw_crahs(counts, hall, boxes);
  for (int side = 0; side < counts.sides; ++side) draw_side(counts, side, hall, boxes);
  draw_yard(counts, boxes);
}

}  // namespace wattloop::twin
