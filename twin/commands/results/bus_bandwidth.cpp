#include "twin/commands/results/bus_bandwidth.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "network/collectives/collective_time.hpp"
#include "network/collectives/measured_bandwidth.hpp"
#include "twin/report/charts/diagrams.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

namespace {

using network::Algorithm;
using network::Collective;

/// 1 MiB to 16 GiB, four sizes for each doubling.
BandwidthCurve curve_of(std::string name, Algorithm algorithm, const network::Links& links, int ranks) {
  constexpr double smallest_b = 1048576.0;
  constexpr int doublings = 14, sizes = 4;
  BandwidthCurve curve{.name = std::move(name)};
  const auto levels = network::levels_of_group(links, ranks, 1);
  for (int k = 0; k <= doublings * sizes; ++k) {
    const double bytes_b = smallest_b * std::exp2(static_cast<double>(k) / sizes);
    const network::CollectiveTime time = network::collective_time(Collective::all_reduce, algorithm, levels, bytes_b);
    const double time_s = algorithm == Algorithm::in_switch ? time.chunked_s() : time.sum_s();
    curve.bytes_b.push_back(bytes_b);
    curve.bus_b_per_s.push_back(network::bus_bandwidth_b_per_s(Collective::all_reduce, ranks, bytes_b, time_s));
  }
  return curve;
}

BandwidthCurve measured(std::string name, std::span<const network::MeasuredBandwidth> rows) {
  BandwidthCurve curve{.name = std::move(name), .is_measured = true};
  for (const network::MeasuredBandwidth& row : rows) {
    curve.bytes_b.push_back(row.bytes_b);
    curve.bus_b_per_s.push_back(row.bus_b_per_s);
  }
  return curve;
}

}  // namespace

std::vector<BandwidthCurve> bandwidth_curves(const Scenario& scenario) {
  if (gpus_per_node(scenario) == 0) return {};
  const network::FabricParams params = fabric_params(scenario);
  const network::Links links = sound_links(scenario.network.fabric, params);
  std::vector<BandwidthCurve> curves;
  const int domain = links.inside.members, all = params.nodes * params.gpus_per_node;
  if (domain > 1)
    curves.push_back(curve_of(fmt::format("{} GPUs of a domain, ring", domain), Algorithm::ring, links, domain));
  if (domain > 1 && links.inside.in_switch_bandwidth_b_per_s > 0.0)
    curves.push_back(curve_of(fmt::format("{} GPUs, NVLink switches", domain), Algorithm::in_switch, links, domain));
  if (all > domain && has_equal_nodes(scenario))
    curves.push_back(curve_of(fmt::format("{} GPUs, rails", all), Algorithm::hierarchical, links, all));
  curves.push_back(measured("8 H100, switches, measured", network::h100_in_switches));
  curves.push_back(measured("4 GB200, ring, measured", network::gb200_by_ring));
  return curves;
}

BandwidthPicture bandwidth_picture(const std::filesystem::path& scenario) {
  const Scenario hall = read_scenario(scenario);
  const std::vector<BandwidthCurve> curves = bandwidth_curves(hall);
  if (curves.empty())
    throw InputError({{{scenario.string(), 0, 0}, "the nodes of this hall have no GPUs", {}, {}}}, "the command line");
  const std::string title = "bus bandwidth of all-reduce over its bytes";
  const std::string words =
      "lines: GPUs of the hall on links that nothing else uses; dots: measured with nccl-tests on other machines";
  return {standing_alone(bandwidth_chart(curves), {title, words}), title};
}

}  // namespace wattloop::twin
