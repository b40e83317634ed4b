// Nodes of groups of racks, and which groups work on one job.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::twin {

/// All nodes of a group of racks.
workload::NodeSet node_set(const RacksSpec& racks);

/// Groups with work of their own are jobs of their own, all others one. [group of racks]
std::vector<std::size_t> jobs_of_groups(const Scenario& scenario);

/// The nodes of a group, which know how many nodes and GPUs their job has. jobs [group of racks]
workload::NodeSet nodes_in_job(const Scenario& scenario, std::span<const std::size_t> jobs, std::size_t group);

/// Numbers of the nodes of the job of a group, through the hall, in order. jobs [group of racks]
std::vector<std::size_t> nodes_of_job(const Scenario& scenario, std::span<const std::size_t> jobs, std::size_t group);

/// 0, 1, ...
std::vector<std::size_t> first_nodes(std::size_t count);

/// A transformer job that a scenario describes, and nodes that it is planned for.
struct TransformerOnNodes {
  std::string name;  ///< of the racks, the job or the trace; empty: the job of the hall
  const workload::TransformerParams* params = nullptr;
  workload::NodeSet nodes = {};               ///< of the first group of racks
  std::vector<const RacksSpec*> groups = {};  ///< that its nodes are of
  std::vector<std::size_t> numbers = {};      ///< of the nodes of the job; in a queue, the first of the hall
};

/// Those of the hall, of groups of racks and of a queue, in the order of the scenario; a job of a queue on nodes of the first group of racks.
std::vector<TransformerOnNodes> transformers_of(const Scenario& scenario);

}  // namespace wattloop::twin
