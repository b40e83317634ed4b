#include "twin/ratings/rated_loads.hpp"

#include <algorithm>
#include <map>

#include "twin/parts/part_catalog.hpp"

namespace wattloop::twin {

namespace {

/// Parts of a kind, if its header says what they are rated for.
void add_parts(const PartKind& of_kind, const PartSet& set, std::vector<RatedLoad>& loads) {
  for (std::size_t r = 0; r < of_kind.ratings.size(); ++r) {
    const auto at = std::ranges::find(of_kind.columns, of_kind.ratings[r], &PartColumn::name);
    const auto column = static_cast<std::size_t>(at - of_kind.columns.begin());
    for (std::size_t part = 0; part < set.names().size(); ++part) {
      loads.push_back({set.names()[part], std::string(of_kind.table.item), set.rated_w(part, r),
                       [&set, part, column](const Moment& m) { return set.column_of(part, column, m.read_plant()); }});
    }
  }
}

/// "transformer" of "transformer_a".
std::string first_word(const std::string& name) { return name.substr(0, name.find('_')); }

void add_power(const electrical::PowerTree& tree, std::vector<RatedLoad>& loads) {
  std::map<std::string, std::vector<RatedLoad>> by_kind;  // PDUs of both sides together
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    const std::string kind = first_word(tree.branch_name[b]);
    if (tree.branch_rated_w[b] <= 0.0) continue;
    by_kind[kind].push_back({tree.branch_name[b], kind, tree.branch_rated_w[b],
                             [b](const Moment& m) { return m.evaluation.power.branch_output_w[b]; }});
  }
  for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
    if (tree.source_is_generator[s] == 0 || tree.source_rated_w[s] <= 0.0) continue;
    by_kind["generator"].push_back({tree.source_name[s], "generator", tree.source_rated_w[s],
                                    [s](const Moment& m) { return m.evaluation.power.source_w[s]; }});
  }
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
  if (kind == "cdu" || kind == "crah" || kind == "pdu") {
    return kind == "cdu" ? "CDUs" : kind == "crah" ? "CRAHs" : "PDUs";
  }
  return kind == "ups" ? "UPS" : kind + "s";
}

}  // namespace wattloop::twin
