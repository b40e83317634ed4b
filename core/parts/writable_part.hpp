// Kinds of parts that a scenario may name itself, since their headers say how they are joined.
#pragma once

#include <concepts>
#include <string_view>

#include "core/parts/field.hpp"
#include "core/parts/part.hpp"

namespace wattloop {

/// What another liquid changes of a machine that is rated with water.
struct LiquidBesideWater {
  double film_ratio = 1.0;     ///< film of the liquid at the same mass flow over that of water
  double density_ratio = 1.0;  ///< over that of water
};

/// A kind whose parameters follow from the liquid in a passage: `in_liquid(params, port, liquid)`.
template <class K>
concept FollowsLiquid = requires(const typename K::Params& params, const LiquidBesideWater& liquid) {
  { K::in_liquid(params, std::string_view(), liquid) } -> std::same_as<typename K::Params>;
};

namespace part_checks {

/// Whether ports say all that assembly has to know: what is inside passages and moves them, what motors are for.
template <class K>
constexpr bool says_each_port_how_to_join_it() {
  for (const auto& port : K::ports()) {
    const bool is_fluid = port.medium == PortMedium::liquid || port.medium == PortMedium::air;
    const bool is_flow_said = port.design_kg_per_s != nullptr || port.imposed_flow.count > 0;
    if (is_fluid && (port.volume_m3 == nullptr || !is_flow_said)) return false;
    if (port.medium == PortMedium::electric && port.use.name.empty()) return false;
  }
  return true;
}

}  // namespace part_checks

/// A kind that a scenario may name under `parts`: its parameters have fields, its ports say how they are joined, something is reported
/// of it, and its columns need nothing that only they see.
template <class K>
concept IsWritable = requires {
  K::Params::fields();
}
&&HasColumns<K>&& std::is_empty_v<typename ShownOf<K>::type>&& part_checks::says_each_port_how_to_join_it<K>();

}  // namespace wattloop
