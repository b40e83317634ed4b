#include "twin/results/reader/disabled_generators.hpp"

#include <map>
#include <vector>

#include "twin/results/reader/scenario_lines.hpp"

namespace wattloop::twin {

namespace {

using Keys = std::vector<std::string>;

/// What the section `power` says of the generators of each block; that of all by the name "".
class Enabled {
 public:
  explicit Enabled(const std::string& scenario) {
    for (const ScenarioLine& line : scenario_lines(scenario)) {
      const Keys& keys = line.keys;
      if (keys == Keys{"power", "generators", "enabled"}) enabled_[""] = line.value == "true";
      if (keys.size() < 4 || keys[0] != "power" || keys[1] != "blocks") continue;
      if (keys[3] == "like") like_[keys[2]] = line.value;
      if (keys.size() == 5 && keys[3] == "generators" && keys[4] == "enabled") enabled_[keys[2]] = line.value == "true";
    }
  }

  bool of(std::string block) const {
    for (std::size_t more = like_.size() + 1; more > 0; --more) {  // a circle is a mistake that ran no scenario
      if (const auto said = enabled_.find(block); said != enabled_.end()) return said->second;
      const auto like = like_.find(block);
      if (like == like_.end()) break;
      block = like->second;
    }
    const auto all = enabled_.find("");
    return all == enabled_.end() || all->second;
  }

 private:
  std::map<std::string, bool, std::less<>> enabled_;
  std::map<std::string, std::string, std::less<>> like_;
};

}  // namespace

std::set<std::string, std::less<>> disabled_generators(const ResultsReader& results) {
  std::set<std::string, std::less<>> disabled;
  if (!results.has_table("generators")) return disabled;
  const Enabled enabled(results.provenance_text("scenario").value_or(""));
  constexpr std::string_view begin = "generator_";
  for (const std::string& name : results.table("generators").items) {
    const std::size_t last = name.rfind('_');
    if (!name.starts_with(begin) || last < begin.size()) continue;
    if (!enabled.of(name.substr(begin.size(), last - begin.size()))) disabled.insert(name);
  }
  return disabled;
}

}  // namespace wattloop::twin
