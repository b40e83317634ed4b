// Whether a fabric can be built of what a scenario says (network/fabric/fabric_params.hpp).
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "twin/scenario/checks/consistency_check.hpp"

namespace wattloop::twin {

namespace {

/// A word of a sentence about a mistake, and the key that it is about.
struct KeyOfWord {
  std::string_view word;
  FilePath keys;
};

const std::array keys_of_words{
    KeyOfWord{"oversubscription", {"oversubscription"}},
    KeyOfWord{"island", {"island"}},
    KeyOfWord{"manager", {"manager_ports"}},
    KeyOfWord{"NVLink", {"nvlink", "domain"}},
    KeyOfWord{"spines by rail", {"spines"}},
    KeyOfWord{"GPUs of a node", {"rails"}},
    KeyOfWord{"rail", {"rails"}},
    KeyOfWord{"radix", {"radix"}},
    KeyOfWord{"tiers", {"tiers"}},
};

/// The first key that the scenario writes and the sentence is about; else the kind of the fabric.
FilePath key_of(const Node& root, const std::string& mistake) {
  for (const KeyOfWord& one : keys_of_words) {
    const FilePath keys = inside({"hall", "network"}, one.keys);
    if (mistake.find(one.word) != std::string::npos && find_path(root, keys) != nullptr) return keys;
  }
  return {"hall", "network", "kind"};
}

}  // namespace

void check_fabric(const Node& root, const Scenario& scenario, Problems& problems) {
  if (!scenario.network.is_given || !scenario.network.fabric.is_modelled()) return;
  const auto refuse = [&](const FilePath& keys, std::string message, std::string hint = {}) {
    problems.add(problem_at(mention_of(root, keys), std::move(message), std::move(hint)));
  };
  if (gpus_per_node(scenario) < 1)
    return refuse({"hall", "network", "kind"}, "kind: nodes have no unit named 'gpu', so the fabric has no rails",
                  "name the GPUs of the node hardware gpu");
  if (!has_equal_nodes(scenario))
    return refuse({"hall", "network", "kind"}, "kind: nodes of the hall have different numbers of GPUs",
                  "write nodes with the same number of GPUs: a modelled fabric needs that");
  for (const std::string& mistake : network::mistakes_in(fabric_params(scenario)))
    refuse(key_of(root, mistake), mistake);
}

}  // namespace wattloop::twin
