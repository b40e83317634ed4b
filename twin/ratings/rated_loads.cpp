#include "twin/ratings/rated_loads.hpp"

#include <map>

namespace wattloop::twin {

namespace {

void add_coolant(const HallParts& hall, std::vector<RatedLoad>& loads) {
  for (const LoopPart& loop : hall.loops) {
    double rated_w = 0.0;
    for (const std::size_t cdu : loop.cdus) rated_w += hall.cdus[cdu].rated_heat_w;
    loads.push_back({loop.name, "loop", rated_w, [&loop](const Moment& m) { return m.loop_heat_w(loop); }});
  }
  for (const CduPart& cdu : hall.cdus) {
    loads.push_back({cdu.name, "cdu", cdu.rated_heat_w, [&cdu](const Moment& m) { return m.cdu_heat_w(cdu); }});
  }
}

void add_plant(const HallParts& hall, std::vector<RatedLoad>& loads) {
  for (const CrahPart& crah : hall.crahs) {
    loads.push_back({crah.name, "crah", crah.rated_heat_w, [&crah](const Moment& m) { return m.crah_heat_w(crah); }});
  }
  for (const ChillerPart& chiller : hall.chillers) {
    loads.push_back({chiller.name, "chiller", chiller.rated_heat_w,
                     [&chiller](const Moment& m) { return m.chiller_heat_w(chiller); }});
  }
  for (const TowerPart& tower : hall.towers) {
    loads.push_back(
        {tower.name, "tower", tower.rated_heat_w, [&tower](const Moment& m) { return m.tower_heat_w(tower); }});
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
  add_coolant(plant.hall, loads);
  add_plant(plant.hall, loads);
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
