#include "twin/run/recording/recorded_links.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "network/fabric/fabric_health.hpp"
#include "network/switch_power.hpp"
#include "twin/actions/work/jobs_on_fabric.hpp"

namespace wattloop::twin {

namespace {

/// What jobs send over each link at an instant, found anew from the state: the run itself keeps means of tiers alone.
class LinkLoadsAt {
 public:
  LinkLoadsAt(const Plant& plant, const workload::Workload& work) : plant_(plant), racks_(plant, work), jobs_(plant) {}

  const network::LinkLoads& look(const PlantState& state) {
    if (state.time_s == time_s_) return jobs_.link_loads();
    time_s_ = state.time_s;
    PlantState now = state;
    const std::vector<JobRacks::Job> jobs = racks_.jobs_in(now);
    jobs_.set_paces(jobs, now);
    jobs_.set_traffic(jobs, now);
    return jobs_.link_loads();
  }

  double share_of(double load_b_per_s, std::size_t link) const {
    return load_b_per_s / plant_.fabric->fabric.link_b_per_s(link);
  }

 private:
  const Plant& plant_;
  JobRacks racks_;
  JobsOnFabric jobs_;
  double time_s_ = std::numeric_limits<double>::quiet_NaN();
};

using Loads = std::vector<double> network::LinkLoads::*;

RecordedColumn load_column(ColumnSpec spec, const std::shared_ptr<LinkLoadsAt>& at, Loads loads) {
  const auto fill = [at, loads](const PlantSnapshot& m, std::span<double> links) {
    const std::vector<double>& sent = at->look(m.state).*loads;
    for (std::size_t link = 0; link < links.size(); ++link)
      links[link] = sent.empty() ? 0.0 : at->share_of(sent[link], link);
  };
  const auto one = [at, loads](const PlantSnapshot& m, std::size_t link) {
    const std::vector<double>& sent = at->look(m.state).*loads;
    return sent.empty() ? 0.0 : at->share_of(sent[link], link);
  };
  return {std::move(spec), one, fill};
}

double live_fraction(const HallFabric& hall, const network::FabricHealth& health, std::size_t link) {
  return network::live_b_per_s(hall.fabric, health, link) / hall.fabric.link_b_per_s(link);
}

RecordedColumn bandwidth_column() {
  const auto fill = [](const PlantSnapshot& m, std::span<double> links) {
    const HallFabric& hall = *m.plant.fabric;
    const network::FabricHealth health = health_with(hall.fabric, m.state.fabric.losses);
    for (std::size_t link = 0; link < links.size(); ++link) links[link] = live_fraction(hall, health, link);
  };
  const auto one = [](const PlantSnapshot& m, std::size_t link) {
    const HallFabric& hall = *m.plant.fabric;
    return live_fraction(hall, health_with(hall.fabric, m.state.fabric.losses), link);
  };
  return {
      {"bandwidth", "1", "share of its bandwidth that is there: 1 sound, 0 failed, or of a failed switch"}, one, fill};
}

RecordedTable link_table(const Plant& plant, const workload::Workload& work, const RecordSpec& record, double end_s) {
  const network::Fabric& fabric = plant.fabric->fabric;
  std::vector<std::string> names;
  for (std::size_t link = 0; link < fabric.link_count(); ++link) names.push_back(network::link_name(fabric, link));
  const double interval_s = names.size() <= most_links_with_course ? record.gpus_s : end_s;
  RecordedTable table{table_of("fabric_links", "fabric_link", std::move(names)), interval_s, {}, false};
  const auto at = std::make_shared<LinkLoadsAt>(plant, work);
  table.columns.push_back(
      load_column({"load_up", "1", "traffic of jobs toward the upper switch divided by bandwidth, mean over a step"},
                  at, &network::LinkLoads::up_b_per_s));
  table.columns.push_back(
      load_column({"load_down", "1", "traffic of jobs from the upper switch divided by bandwidth, mean over a step"},
                  at, &network::LinkLoads::down_b_per_s));
  table.columns.push_back(bandwidth_column());
  return table;
}

/// Nodes of racks that have power.
double live_nodes(const PlantSnapshot& m) {
  double nodes = 0.0;
  for (std::size_t rack = 0; rack < m.plant.it.racks.size(); ++rack) {
    if (electrical::is_served(m.state.switches, m.plant.it.racks[rack].load))
      nodes += static_cast<double>(m.plant.it.nodes_in(rack));
  }
  return nodes;
}

/// In the order of the items of the table.
std::array<double, 4> powers_w(const PlantSnapshot& m) {
  const HallFabric& hall = *m.plant.fabric;
  double electronics_w = 0.0, optics_w = 0.0, others_w = 0.0;
  for (const NetworkRackPart& rack : m.plant.it.network_racks) {
    if (electrical::is_served(m.state.switches, rack.load)) others_w += hall.counted_w;
  }
  const network::SwitchParams& one = m.plant.it.switches;
  const network::FabricHealth health = health_with(hall.fabric, m.state.fabric.losses);
  const std::vector<double>& traffic = m.state.fabric.switch_traffic;
  for (std::size_t number = 0; number < traffic.size(); ++number) {
    if (health.is_failed[number] != 0) continue;
    optics_w += one.optics_w;
    electronics_w += network::switch_power_w(one, traffic[number]) - one.optics_w;
  }
  return {electronics_w, optics_w, others_w, live_nodes(m) * hall.fabric.params.rails * hall.adapter_w};
}

RecordedTable power_table(double interval_s) {
  RecordedTable table{
      table_of("fabric_power", "fabric_part", {"switches", "switch_optics", "other_networks", "node_adapters"}),
      interval_s,
      {},
      false};
  table.columns.push_back(
      {{"power", "W",
        "power of switches without and of their optical modules, of other networks, and of network adapters, which is "
        "part of the power of nodes"},
       [](const PlantSnapshot& m, std::size_t part) { return powers_w(m).at(part); },
       [](const PlantSnapshot& m, std::span<double> parts) { std::ranges::copy(powers_w(m), parts.begin()); }});
  return table;
}

}  // namespace

std::vector<RecordedTable> link_tables(const Plant& plant, const workload::Workload& work, const RecordSpec& record,
                                       double end_s) {
  std::vector<RecordedTable> tables;
  if (!plant.fabric) return tables;
  tables.push_back(link_table(plant, work, record, end_s));
  tables.push_back(power_table(record.racks_s));
  return tables;
}

}  // namespace wattloop::twin
