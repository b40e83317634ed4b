// What contradicts itself in `power.one_line`, and what may not stand beside it.
#include <algorithm>
#include <cmath>
#include <map>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "electrical/admittance/transformer_fit.hpp"
#include "electrical/equipment.hpp"
#include "twin/document/other_place.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr double same_voltage_fraction = 0.05;  ///< 400 V and 415 V are one level

bool differ(double a_v, double b_v, double fraction) { return std::abs(a_v - b_v) > fraction * std::max(a_v, b_v); }

std::string volts(double value_v) { return format_quantity(value_v, "V"); }

class OneLineCheck {
 public:
  OneLineCheck(const PowerSpec& power, Problems& problems)
      : spec_(power.one_line), has_voltages_(power.flow != "watts"), problems_(problems) {
    const OneLineSpec& spec = power.one_line;
    for (const DrawnBus& bus : spec.buses) {
      voltage_v_[bus.name] = bus.voltage_v;
      bus_names_.push_back(bus.name);
    }
  }

  void check() {
    for (const DrawnSource& source : spec_.sources) {
      if (knows(source.source.bus, source.at_bus)) check_generator(source);
    }
    for (const DrawnBranch& drawn : spec_.branches) {
      const bool knows_from = knows(drawn.branch.from, drawn.at_from);
      const bool knows_to = knows(drawn.branch.to, drawn.at_to);
      if (knows_from && knows_to) check_voltages(drawn);
    }
    for (const DrawnLoad& load : spec_.loads) {
      knows(load.bus, load.at_bus);
      if (load.follows_voltage() && !has_voltages_)
        refuse(load.mention,
               fmt::format("{} depends on the voltage, but `flow: watts` computes no voltages", load.name),
               "write power: { flow: auto }");
    }
    for (const DrawnBus& bus : spec_.buses) check_used(bus);
    for (const DrawnInterlock& lock : spec_.interlocks) check_members(lock);
  }

 private:
  void refuse(const Mention& mention, std::string message, std::string hint) {
    problems_.add({mention.place, std::move(message), std::move(hint), mention.excerpt});
  }

  bool knows(const std::string& bus, const Mention& mention) {
    if (bus.empty()) return false;  // reported already
    if (voltage_v_.contains(bus)) return true;
    refuse(mention, fmt::format("there is no bus '{}'", bus), nearest_hint(bus, bus_names_));
    return false;
  }

  const DrawnBus& bus_of(const std::string& name) const {
    return *std::ranges::find(spec_.buses, name, &DrawnBus::name);
  }

  /// Generators are built for low and medium voltage.
  void check_generator(const DrawnSource& drawn) {
    constexpr double highest_v = 15000.0;
    const double bus_v = voltage_v_.at(drawn.source.bus);
    if (!std::holds_alternative<electrical::Generator::Params>(drawn.source.equipment) || bus_v <= highest_v) return;
    refuse(drawn.at_bus,
           fmt::format("generator {} feeds bus {} of {}, expected {} at most", drawn.source.name, drawn.source.bus,
                       volts(bus_v), volts(highest_v)),
           "connect the generator to a bus of its voltage, and put a transformer between that bus and this one");
  }

  void check_voltages(const DrawnBranch& drawn) {
    const electrical::Branch& branch = drawn.branch;
    const double from_v = voltage_v_.at(branch.from), to_v = voltage_v_.at(branch.to);
    if (from_v == 0.0 || to_v == 0.0) return;  // could not be read
    const electrical::TransformerRating rating = electrical::transformer_rating(branch.equipment);
    if (rating.to_v > 0.0) {
      const auto problem = electrical::misfit(branch.name, rating, from_v, to_v);
      if (problem) refuse(drawn.mention, problem->message, problem->hint);
      return;
    }
    const std::string_view kind = electrical::kind_of(branch.equipment);
    constexpr double low_voltage_v = 1000.0;
    const bool is_low =
        std::max(from_v, to_v) <= low_voltage_v && std::min(from_v, to_v) >= 0.1 * std::max(from_v, to_v);
    const bool may_transform = is_low && (kind == electrical::Pdu::kind || kind == electrical::Converter::kind);
    if (!may_transform && differ(from_v, to_v, same_voltage_fraction)) {
      const Mention& other = bus_of(branch.to).mention;
      refuse(drawn.mention,
             fmt::format("{} joins buses of different voltages: {} of {} and {} of {}", branch.name, branch.from,
                         volts(from_v), branch.to, volts(to_v)),
             fmt::format("put a transformer between them, or give both the same voltage; bus {} is in {}", branch.to,
                         other_place(other.place, drawn.mention.place)));
    }
    const bool is_for_low = kind == electrical::Pdu::kind || kind == electrical::Ups::kind;
    if (is_for_low && !is_low && !differ(from_v, to_v, same_voltage_fraction))
      refuse(drawn.mention,
             fmt::format("{} {} is at bus {} of {}, expected {} at most", kind == electrical::Ups::kind ? "UPS" : "PDU",
                         branch.name, branch.from, volts(from_v), volts(low_voltage_v)),
             "connect it to a bus downstream of a transformer");
    const double own_v = electrical::highest_voltage_v(branch.equipment);
    if (!may_transform && own_v > 0.0 && own_v < (1.0 - same_voltage_fraction) * from_v)
      refuse(
          drawn.mention,
          fmt::format("{} is built for {}, but bus {} has {}", branch.name, volts(own_v), branch.from, volts(from_v)),
          "choose equipment that is built for the voltage of the bus");
  }

  void check_used(const DrawnBus& bus) {
    const auto ends_there = [&](const DrawnBranch& drawn) {
      return drawn.branch.from == bus.name || drawn.branch.to == bus.name;
    };
    const auto feeds_it = [&](const DrawnSource& drawn) { return drawn.source.bus == bus.name; };
    if (std::ranges::any_of(spec_.branches, ends_there) || std::ranges::any_of(spec_.sources, feeds_it)) return;
    refuse(bus.mention, fmt::format("nothing is connected to bus {}", bus.name),
           "connect a source or a branch to it, or delete the bus");
  }

  void check_members(const DrawnInterlock& lock) {
    std::vector<std::string> branches;
    for (const DrawnBranch& drawn : spec_.branches) branches.push_back(drawn.branch.name);
    std::vector<std::string> closed;
    for (std::size_t k = 0; k < lock.members.names.size(); ++k) {
      const std::string& name = lock.members.names[k];
      const auto found = std::ranges::find(branches, name);
      if (found == branches.end()) {
        refuse(lock.members.mentions[k], fmt::format("there is no branch '{}'", name), nearest_hint(name, branches));
        continue;
      }
      if (std::ranges::find(lock.members.names, name) - lock.members.names.begin() != static_cast<std::ptrdiff_t>(k))
        refuse(lock.members.mentions[k], fmt::format("interlock {} names {} twice", lock.name, name),
               "delete one of the two");
      if (spec_.branches[static_cast<std::size_t>(found - branches.begin())].branch.normally_closed)
        closed.push_back(name);
    }
    if (static_cast<int>(closed.size()) > lock.most_closed)
      refuse(lock.mention,
             fmt::format("interlock {} allows at most {} closed {}, but {} are closed in the normal position: {}",
                         lock.name, lock.most_closed, lock.most_closed == 1 ? "branch" : "branches", closed.size(),
                         fmt::join(closed, ", ")),
             "write `open: true` under one of these branches");
  }

  const OneLineSpec& spec_;
  const bool has_voltages_;
  Problems& problems_;
  std::map<std::string, double> voltage_v_;
  std::vector<std::string> bus_names_;
};

}  // namespace

void check_one_line(const Node& map, const PowerSpec& power, Problems& problems) {
  if (!power.one_line.is_given) return;
  for (const char* key : {"blocks", "topology", "redundancy", "reserve"}) {
    const Node* written = find(map, key);
    if (written != nullptr && !written->is_null())
      problems.add(problem_at(*written,
                              fmt::format("'{}' and 'one_line' both describe the power tree: keep one of them", key),
                              "delete one of the two keys; to remove the one that an extended file gives, write "
                              "`one_line: null` or `blocks: null`"));
  }
  OneLineCheck(power, problems).check();
}

}  // namespace wattloop::twin
