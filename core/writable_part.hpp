// Kinds of parts that a scenario may name itself, since their headers say how they are joined.
#pragma once

#include "core/field.hpp"
#include "core/part.hpp"

namespace wattloop {

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

/// A kind that a scenario may name under `parts`: its parameters have fields, its ports say how they are joined, something is told
/// of it, and its columns need nothing that only they see.
template <class K>
concept IsWritable = requires {
  K::Params::fields();
}
&&HasColumns<K>&& std::is_empty_v<typename ShownOf<K>::type>&& part_checks::says_each_port_how_to_join_it<K>();

}  // namespace wattloop
