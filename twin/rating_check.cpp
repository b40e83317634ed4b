#include "twin/rating_check.hpp"

#include <any>

#include <fmt/format.h>

#include "core/units.hpp"
#include "physics/node_rest.hpp"

namespace wattloop::twin {

namespace {

/// Share of a node's nameplate power that its cold plates take: all of its GPUs and what its rest captures.
double liquid_w(const NodeHardware& node) {
  double gpus_w = 0.0;
  double capture_fraction = 0.0;
  for (const NodeUnits& units : node.units) {
    if (units.name == "gpu") gpus_w = units.count * node.split.gpu_limit_w;
    const auto* rest = std::any_cast<physics::NodeRest::Params>(&units.spec.params);
    if (rest != nullptr) capture_fraction = rest->capture_fraction;
  }
  return gpus_w + capture_fraction * (node.nameplate_w - gpus_w);
}

class Findings {
 public:
  void expect(std::string_view what, double rated_w, std::string_view load, double load_w) {
    if (rated_w >= load_w) return;
    texts_.push_back(fmt::format("{} is rated {}, {} is {}", what, format_quantity(rated_w, "W"), load,
                                 format_quantity(load_w, "W")));
  }
  std::vector<std::string> take() { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
};

}  // namespace

std::vector<std::string> check_ratings(const Scenario& scenario) {
  const RacksSpec& racks = scenario.racks;
  const NodeHardware& node = racks.hardware;
  const double rack_w = racks.nodes * node.nameplate_w;
  const double hall_w = racks.count * rack_w;
  const double rack_liquid_w = racks.nodes * liquid_w(node);
  const LoopsSpec& loops = scenario.cooling.loops;
  const double racks_per_loop = static_cast<double>(racks.count) / loops.count;
  const PowerSpec& power = scenario.power;

  Findings findings;
  findings.expect("the CDUs of a loop together", loops.cdus * loops.cdu.rated_heat_w, "liquid heat of its racks at nameplate",
                  racks_per_loop * rack_liquid_w);
  findings.expect("a rear door", scenario.cooling.doors.door.rated_heat_w, "air heat of a rack at nameplate",
                  rack_w - rack_liquid_w);
  const double racks_per_pdu = static_cast<double>((racks.count + power.pdus - 1) / power.pdus);
  findings.expect("a PDU", power.pdu.rated_w, "nameplate load of its racks", racks_per_pdu * rack_w);
  findings.expect("the UPS", power.ups_modules * power.ups.rated_w, "nameplate load of all racks", hall_w);
  findings.expect("the transformers together", power.transformers * power.transformer.rated_va,
                  "nameplate load of all racks", hall_w);
  findings.expect("the power supplies of a node", node.psu.rated_w, "nameplate of the node", node.nameplate_w);
  return findings.take();
}

}  // namespace wattloop::twin
