#include "twin/ratings/rated_loads.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "electrical/electrical_catalog.hpp"
#include "twin/parts/part_catalog.hpp"

namespace wattloop::twin {

namespace {

/// Parts of a kind, if its header says what they are rated for.
void add_parts(const PartKind& of_kind, const PartSet& set, std::vector<RatedLoad>& loads) {
  for (std::size_t r = 0; r < of_kind.ratings.size(); ++r) {
    const std::size_t column = column_number(of_kind, of_kind.ratings[r].column);
    for (std::size_t part = 0; part < set.names().size(); ++part) {
      loads.push_back(
          {set.names()[part], std::string(of_kind.table.item), of_kind.ratings[r].carries, set.rated_w(part, r),
           [&set, part, column](const PlantSnapshot& m) { return set.column_of(part, column, m.read_plant()); }});
      if (of_kind.ratings[r].has_own_load)
        loads.back().load_w = [&set, part, r](const PlantSnapshot& m) { return set.load_w(part, r, m.read_plant()); };
      if (of_kind.ratings[r].is_left_in_part)
        loads.back().rated_in_service_w = [&set, part, r](const PlantSnapshot& m) {
          return set.left_w(part, r, m.read_plant());
        };
    }
  }
}

/// Equipment of the power tree, if its header says what it is rated for: for power, of which column is in its table.
void add_rated(std::string_view kind_name, const std::string& name, std::size_t number, double rated_w,
               std::map<std::string, std::vector<RatedLoad>>& by_kind) {
  const electrical::ElectricalKind& kind = electrical::electrical_kind(kind_name);
  if (kind.ratings.empty() || rated_w <= 0.0 || !std::isfinite(rated_w)) return;  // an ideal switch
  const auto column = std::ranges::find(kind.columns, kind.ratings.front().column, &electrical::ReadingColumn::name);
  by_kind[std::string(kind.name)].push_back({name, std::string(kind.name), kind.ratings.front().carries, rated_w,
                                             [value = column->value, number](const PlantSnapshot& m) {
                                               return std::abs(value({m.evaluation.power, number, 0.0}));
                                             }});
}

void add_power(const electrical::PowerTree& tree, std::vector<RatedLoad>& loads) {
  std::map<std::string, std::vector<RatedLoad>> by_kind;  // PDUs of both sides together
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    add_rated(tree.branch_kind[b], tree.branch_name[b], b, tree.branch_rated_w[b], by_kind);
    const auto of_kind = by_kind.find(std::string(tree.branch_kind[b]));
    if (of_kind == by_kind.end() || of_kind->second.back().name != tree.branch_name[b]) continue;
    RatedLoad& load = of_kind->second.back();
    load.rated_in_service_w = [b](const PlantSnapshot& m) {
      return electrical::rated_in_service_w(m.plant.power_tree, m.state.switches, b);
    };
    load.load_w = [b, delivered_w = load.load_w](const PlantSnapshot& m) {
      const std::vector<electrical::BranchFactors>& factors = m.state.switches.branch_factors;
      const bool is_mostly_reactive = !factors.empty() && factors[b].reactive_va > 0.0;
      if (!is_mostly_reactive) return delivered_w(m);
      return m.evaluation.power.branch_loading_fraction[b] *
             electrical::rated_in_service_w(m.plant.power_tree, m.state.switches, b);
    };
  }
  for (std::size_t s = 0; s < tree.source_name.size(); ++s)
    add_rated(tree.source_kind[s], tree.source_name[s], s, tree.source_rated_w[s], by_kind);
  for (auto& [kind, of_kind] : by_kind) loads.insert(loads.end(), of_kind.begin(), of_kind.end());
}

}  // namespace

std::vector<RatedLoad> rated_loads(const Plant& plant) {
  std::vector<RatedLoad> loads;
  for (std::size_t k = 0; k < part_kinds().size(); ++k) add_parts(part_kinds()[k], *plant.components[k], loads);
  add_power(plant.power_tree, loads);
  return loads;
}

std::string plural_of(const std::string& kind) {
  if (kind == "cdu" || kind == "crah") return kind == "cdu" ? "CDUs" : "CRAHs";
  const auto kinds = electrical::electrical_kinds();
  const auto electrical = std::ranges::find(kinds, kind, &electrical::ElectricalKind::name);
  return electrical == kinds.end() ? kind + "s" : std::string(electrical->plural);
}

}  // namespace wattloop::twin
