#include "twin/build/assembly/system_flows.hpp"

#include <set>

namespace wattloop::twin {

namespace {

using Terms = std::vector<std::pair<std::size_t, double>>;

/// One more of the flow of that code.
void add(std::size_t flow, double coefficient, Terms& terms) {
  for (auto& [code, times] : terms) {
    if (code != flow) continue;
    times += coefficient;
    return;
  }
  terms.emplace_back(flow, coefficient);
}

void find_flows(const FluidSystem& system, const std::vector<Stream>& streams, const std::set<std::size_t>& pumped,
                Diagram& diagram) {
  Terms load, source, bypass{{code_of(system.source_flow), 1.0}, {code_of(system.load_flow), -1.0}};
  for (const Stream& stream : streams) {
    if (stream.flow == code_of(system.bypass_flow)) continue;
    if (stream.to == system.supply) add(stream.flow, 1.0, source);
    if (stream.from != system.supply) continue;
    if (pumped.contains(stream.flow)) {
      add(stream.flow, 1.0, load);
    } else {
      add(stream.flow, -1.0, bypass);
    }
  }
  diagram.sum(system.load_flow, std::move(load));
  diagram.sum(system.source_flow, std::move(source));
  diagram.sum(system.bypass_flow, std::move(bypass));
}

/// Users lead to the junction that pre-coolers draw from; what these leave goes on to the return header, where the bypass joins it.
void lead_users_back(const FluidSystem& system, Diagram& diagram) {
  const std::vector<Stream> before = diagram.streams;
  const auto is_of_precooler = [&](JunctionId junction) {
    return std::ranges::any_of(
        before, [&](const Stream& stream) { return stream.from == system.users_back && stream.to == junction; });
  };
  Terms left;
  for (Stream& stream : diagram.streams) {
    if (stream.from == system.users_back) add(stream.flow, -1.0, left);
    if (stream.to != system.back || stream.flow == code_of(system.bypass_flow) || is_of_precooler(stream.from))
      continue;
    stream.to = system.users_back;
    add(stream.flow, 1.0, left);
  }
  const FlowId past = diagram.declare_flow();
  diagram.stream(system.name + ".users_return", system.users_back, system.back, code_of(past),
                 system.specific_heat_j_per_kg_k);
  diagram.sum(past, std::move(left));
}

}  // namespace

void find_system_flows(Diagram& diagram) {
  for (const auto& [name, system] : diagram.systems()) {
    if (!system.is_own() || system.pumps.empty()) continue;  // of coolant loops flows follow from pressures
    std::set<std::size_t> pumped;
    for (const auto& [flow, drive] : diagram.drives) {
      if (drive.pumps == system.pumps) pumped.insert(code_of(flow));
    }
    find_flows(system, diagram.streams, pumped, diagram);
    lead_users_back(system, diagram);
  }
}

}  // namespace wattloop::twin
