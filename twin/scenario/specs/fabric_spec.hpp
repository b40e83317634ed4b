// The fabric of a hall as a scenario describes it: switches and links that are modelled one by one (`hall.network.kind`).
// Defaults: 400 Gbit/s a cable and 450 GB/s a GPU [nvidia_h100_datasheet], of which collectives reach 48 and 370 GB/s [nccl_tests];
// a subnet manager needs 10 to 20 s for new routes of a large fabric [lotto2017].
// Documented in docs/models/fabric.md.
#pragma once

#include <array>
#include <string>

#include "core/parts/field.hpp"
#include "network/collectives/link_levels.hpp"
#include "network/fabric/fabric_params.hpp"
#include "network/routing/router.hpp"

namespace wattloop::twin {

/// A network beside the fabric, of which switches are counted: they draw constant power.
struct CountedSwitchesSpec {
  bool is_given = false;
  int switches = required_count;
  double switch_w = required;

  static constexpr auto fields() {
    using P = CountedSwitchesSpec;
    return std::array{
        Field<P>{&P::switches, "switches", Range::positive,
                 "Number of switches, divided equally among the racks of the fabric."},
        Field<P>{&P::switch_w, "power", "W", Range::positive, "Power of one switch, at any traffic."},
    };
  }
  double sum_w() const { return is_given ? switches * switch_w : 0.0; }
};

/// Links of GPUs inside a domain.
struct NvlinkSpec {
  int domain_gpus = 0;
  double bandwidth_b_per_s = 450e9;
  double efficiency_fraction = 370.0 / 450.0;
  double latency_s = 2e-6;
  double in_switch_b_per_s = 0.0;
  double in_switch_latency_s = 121e-6;

  static constexpr auto fields() {
    using P = NvlinkSpec;
    return std::array{
        Field<P>{&P::domain_gpus, "domain", Range::non_negative,
                 "Number of GPUs that NVLink connects, of whole nodes; 0: the GPUs of a node."},
        Field<P>{&P::bandwidth_b_per_s, "bandwidth", "B/s", Range::positive,
                 "NVLink bandwidth of one GPU, in each direction."},
        Field<P>{&P::efficiency_fraction, "efficiency", "1", Range::positive_fraction,
                 "Share of the NVLink bandwidth that collectives reach."},
        Field<P>{&P::latency_s, "latency", "s", Range::non_negative, "Latency of one hop."},
        Field<P>{&P::in_switch_b_per_s, "in_switch", "B/s", Range::non_negative,
                 "Bandwidth of a GPU for reductions in the NVLink switches; 0: the switches do not reduce."},
        Field<P>{&P::in_switch_latency_s, "in_switch_latency", "s", Range::non_negative,
                 "Start-up time of a reduction in the switches."},
    };
  }
};

/// What a modelled fabric has besides racks, radix and rails.
struct FabricSpec {
  static constexpr const char* counted = "counted";

  std::string kind = counted;
  std::string spines = "shared";
  std::string routing = "balanced";
  int seed = 1;
  double efficiency_fraction = 0.96;
  double latency_s = 5e-6;
  double reroute_s = 15.0;
  double adapter_w = 22.0;
  network::FabricParams params = {};  ///< nodes, radix, rails and GPUs of a node are those of the hall
  NvlinkSpec nvlink = {};
  CountedSwitchesSpec management = {}, storage = {};
  bool has_rails = false;  ///< the scenario says how many; else as many as a node has GPUs
  bool is_full = false;    ///< all links carry what they can while nodes work: for ratings

  bool is_modelled() const { return kind != counted; }

  static constexpr auto fields() {
    using P = FabricSpec;
    return std::array{
        Field<P>{&P::kind, "kind", "counted|fat_tree|ethernet_clos",
                 "counted: only the number of switches of a fat tree is modelled. The other kinds model each switch "
                 "and link."},
        Field<P>{&P::spines, "spines", "shared|by_rail",
                 "Whether a spine has links to the leaves of all rails or of one rail."},
        Field<P>{&P::routing, "routing", "adaptive|balanced|static|hashed",
                 "How packets are divided among paths of equal length; hashed: as in ECMP."},
        Field<P>{&P::seed, "routing_seed", Range::non_negative, "Seed of the hashes of paths."},
        Field<P>{&P::efficiency_fraction, "efficiency", "1", Range::positive_fraction,
                 "Share of the bandwidth of a cable that collectives reach."},
        Field<P>{&P::latency_s, "latency", "s", Range::non_negative, "Latency of one hop from node to node."},
        Field<P>{&P::adapter_w, "adapter_power", "W", Range::non_negative,
                 "Power of one network adapter of a node, with its optical module; it is part of the power of the node "
                 "and recorded separately."},
        Field<P>{&P::reroute_s, "reroute_time", "s", Range::non_negative,
                 "Time from a failure or a repair until routes follow it; traffic over a failed part waits during this "
                 "time."},
    };
  }
};

struct Scenario;

/// Racks of nodes with unlike numbers of GPUs, which no modelled fabric connects: their common number is that of the first group.
bool has_equal_nodes(const Scenario& scenario);

/// GPUs of a node of the first group of racks; 0: it has none.
int gpus_per_node(const Scenario& scenario);

/// The fabric of all nodes of a hall.
network::FabricParams fabric_params(const Scenario& scenario);

network::RoutingRule routing_rule(const FabricSpec& spec);

/// Links of GPUs as collectives see them while nothing has failed.
network::Links sound_links(const FabricSpec& spec, const network::FabricParams& params);

}  // namespace wattloop::twin
