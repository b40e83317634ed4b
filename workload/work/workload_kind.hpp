// What a kind of work must say: its name and page, its keys, what its watts contain, and how it becomes work of some nodes. A kind that
// leaves anything out does not compile. docs/seams.md shows how one is added; workload/workload_kinds.hpp is the list.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/time_stamps.hpp"
#include "core/text/problem.hpp"
#include "workload/transformer/communication_times.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::workload {

/// Power at the AC inlet of one node from the power behind its power supplies.
using AcFromDc = std::function<double(double dc_w)>;

/// Nodes that are to do some work, and what a kind may need to know of the run.
struct WorkRequest {
  NodeSet nodes = {};
  AcFromDc ac_from_dc_w = {};
  const CommunicationTimes* network = nullptr;  ///< null: communication takes no time
  std::uint64_t seed = 1;
  RunSpan run = {};
  bool is_program = false;                                       ///< of jobs of a queue: it has a clock of its own
  std::string racks = {};                                        ///< "racks NAME: " before mistakes; empty: all racks
  std::function<Mention(std::string_view key)> mention_of = {};  ///< where a key is written; of others the section
};

/// Work of these nodes, and what the user should know of it.
struct MadeWork {
  std::unique_ptr<Workload> workload;
  std::vector<std::string> notes = {};
  std::vector<std::string> warnings = {};  ///< watts that can hardly be meant
  std::optional<double> clamped_sample_share =
      std::nullopt;  ///< of a trace: samples that ask more of GPUs than their limit
};

/// Parameters of a kind of work. `contains_leakage`: its watts contain the leakage of dies, so that none is added. `contains_fans`: they contain
/// what fans of nodes draw, so that a changed speed adds nothing. `make_work` adds what is wrong to the problems; the work is then of no use.
template <class Kind>
concept WorkloadKind = requires(const Kind& params, const WorkRequest& request, Problems& problems) {
  { Kind::kind } -> std::convertible_to<std::string_view>;
  { Kind::noun } -> std::convertible_to<std::string_view>;
  { Kind::doc } -> std::convertible_to<std::string_view>;
  { Kind::page } -> std::convertible_to<std::string_view>;
  { params.contains_leakage() } -> std::same_as<bool>;
  { params.contains_fans() } -> std::same_as<bool>;
  Kind::fields();
  { make_work(params, request, problems) } -> std::same_as<MadeWork>;
};

}  // namespace wattloop::workload
