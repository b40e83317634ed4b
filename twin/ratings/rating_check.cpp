#include "twin/ratings/rating_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/problem.hpp"
#include "core/units.hpp"
#include "twin/integration/steady_state.hpp"
#include "twin/ratings/carried_load.hpp"
#include "twin/scenario/coil_water.hpp"

namespace wattloop::twin {

namespace {

constexpr double told_above_fraction = 0.02;  ///< of a rating: what an outage must add to be told
constexpr double least_told_margin = -9.0;    ///< beyond it a margin says no more than that it is one

constexpr double far_too_much_ratio = 2.5;  ///< of what pumps move over what is taken, from which on it is told

constexpr const char* no_rest_found = "no state was found in which the hall is at rest at nameplate load";

using Sort = Outage::Sort;

Rating rating_of(const CarriedLoad& carried, std::string out) {
  const double trips_after_s =
      carried.limit.trips ? trip_time_s(carried.limit.endurance, carried.loading_fraction()) : for_ever_s;
  return {carried.equipment, carried.must_carry, carried.rating, carried.load,
          carried.unit,      std::move(out),     trips_after_s};
}

double loading(const Rating& rating) { return rating.load / rating.rating; }

/// The fullest of every kind in every sort of outage.
class Table {
 public:
  void take(const Outage& outage, const std::vector<CarriedLoad>& loads) {
    const bool is_on_generators = outage.sort == Sort::feeds || outage.sort == Sort::start;
    for (const CarriedLoad& carried : loads) {
      if (is_on_generators && carried.kind != "generator") continue;  // the others carry what they do on feeds
      if (std::ranges::find(order_, carried.kind) == order_.end()) order_.push_back(carried.kind);
      keep(carried.kind, outage.sort, rating_of(carried, outage.text));
      if (outage.sort == Sort::nothing && carried.modules > 1) take_module(carried);
    }
  }

  /// With nothing out where nothing that is out adds to it, or where that alone is too much; and what adds most.
  std::vector<Rating> ratings() const {
    std::vector<Rating> list;
    for (const std::string& kind : order_) {
      const std::map<Sort, Rating>& of_kind = worst_.at(kind);
      const auto whole = of_kind.find(Sort::nothing);
      const double whole_fraction = whole == of_kind.end() ? 0.0 : loading(whole->second);
      std::vector<Rating> out;
      for (const auto& [sort, rating] : of_kind) {
        if (sort != Sort::nothing && !(loading(rating) <= whole_fraction + told_above_fraction)) out.push_back(rating);
      }
      const bool is_whole_told = whole != of_kind.end() && (out.empty() || !whole->second.is_enough());
      if (is_whole_told && !(kind == "generator" && whole->second.load == 0.0)) list.push_back(whole->second);
      list.insert(list.end(), out.begin(), out.end());
    }
    return list;
  }

 private:
  /// Modules of one box share its load whatever their number: the load is the same with one less.
  void take_module(const CarriedLoad& carried) {
    CarriedLoad rest = carried;
    rest.rating *= (carried.modules - 1.0) / carried.modules;
    keep(carried.kind, Sort::module, rating_of(rest, fmt::format("1 of its {} modules", carried.modules)));
  }

  /// Of those that are as full, but for rounding, the first.
  void keep(const std::string& kind, Sort sort, Rating rating) {
    constexpr double rounding_ratio = 1e-9;
    const auto [place, is_new] = worst_[kind].emplace(sort, rating);
    if (!is_new && loading(rating) > loading(place->second) * (1.0 + rounding_ratio)) place->second = std::move(rating);
  }

  std::vector<std::string> order_;
  std::map<std::string, std::map<Sort, Rating>> worst_;
};

/// The same hall with chillers that carry anything: what they must carry where those that there are cannot.
Scenario with_ample_chillers(Scenario scenario) {
  constexpr double ample_ratio = 100.0;
  for (ChilledWaterSpec& water : scenario.cooling.chilled_water) {
    physics::ChillerParams& chiller = water.chillers.chiller;
    chiller.rated_heat_w *= ample_ratio;
    chiller.rated_power_w *= ample_ratio;
    chiller.highest_condensing_k *= ample_ratio;
    chiller.minimum_part_load_fraction = 0.0;
    water.chillers.stage_up_fraction = 1.0 / ample_ratio;
  }
  return scenario;
}

/// A set-point of water that a sequence moves is none to judge by what the scenario says.
bool is_moved(const Scenario& scenario, const FacilitySpec& water) {
  return std::ranges::find(scenario.sequences, water.name + ".supply_temperature", &SequenceSpec::setting) !=
         scenario.sequences.end();
}

/// Set-points and pumps that cannot be right whatever the load is.
std::vector<std::string> odd_set_points(const Scenario& scenario, double wet_bulb_k) {
  const CoolingSpec& cooling = scenario.cooling;
  const auto text = [](double kelvin) { return format_quantity(kelvin, "K"); };
  std::vector<std::string> odd;
  const auto words = [](const std::string& name) { return name == "facility" ? "facility water" : "water of " + name; };
  for (const LoopsSpec& loops : cooling.loops) {
    const FacilitySpec& water = *find_water(cooling, loops.on);
    if (water.supply_k < loops.supply_k || is_moved(scenario, water)) continue;
    odd.push_back(fmt::format(
        "{} of {} is not colder than the {} of {}: valves stand open, pumps run up, and coolant is warmer "
        "than its set-point",
        words(water.name), text(water.supply_k), text(loops.supply_k), loops.name.empty() ? "the loops" : loops.name));
  }
  for (const FacilitySpec& water : cooling.water) {
    if (!water.towers.is_given || water.supply_k >= wet_bulb_k || is_moved(scenario, water)) continue;
    odd.push_back(
        fmt::format("{} is to be held at {}, below the wet bulb outside, which reaches {}: no tower cools so far",
                    words(water.name), text(water.supply_k), text(wet_bulb_k)));
  }
  const auto compare_air = [&](const CrahsSpec& crahs, const std::string& of_what) {
    const double water_k = crahs.is_given ? coil_water_of(cooling, crahs)->supply_k : 0.0;
    if (!crahs.is_given || crahs.air_k > water_k) return;
    odd.push_back(fmt::format("air handlers {} cannot cool air to {} with water of {}", of_what, text(crahs.air_k),
                              text(water_k)));
  };
  for (const CrahsSpec& crahs : cooling.crahs)
    compare_air(crahs, crahs.name.empty() ? "of the hall" : "of " + crahs.name);
  if (scenario.power.rooms.is_given) compare_air(scenario.power.rooms.crahs, "of UPS rooms");
  for (const ChilledWaterSpec& chilled : cooling.chilled_water) {
    const ChillersSpec& chillers = chilled.chillers;
    const std::string of_whom = chilled.name == "chilled_water" ? "a chiller" : "a chiller of " + chilled.name;
    const auto compare_flow = [&](double pump_kg_per_s, double design_kg_per_s, const char* water) {
      if (!chillers.is_given || pump_kg_per_s >= 0.999 * design_kg_per_s) return;
      odd.push_back(fmt::format("the {} pump of {} gives {}, its design flow is {}", water, of_whom,
                                format_quantity(pump_kg_per_s, "kg/s"), format_quantity(design_kg_per_s, "kg/s")));
    };
    compare_flow(chillers.chilled_pump.rated_flow_kg_per_s, chillers.chiller.chilled_design_flow_kg_per_s,
                 "chilled-water");
    compare_flow(chillers.condenser_pump.rated_flow_kg_per_s, chillers.chiller.condenser_design_flow_kg_per_s,
                 "condenser");
  }
  return odd;
}

/// Pumps that all run and move far more than is taken: they circle it, and draw for that.
std::vector<std::string> circling_notes(const std::vector<CarriedLoad>& loads) {
  std::vector<std::string> notes;
  for (const CarriedLoad& pumps : loads) {
    if (!pumps.circles || pumps.load <= 0.0 || pumps.rating < far_too_much_ratio * pumps.load) continue;
    notes.push_back(fmt::format("{} move {}, {:.1f} times the {} that {} take: the rest goes round through a bypass",
                                pumps.equipment, format_quantity(pumps.rating, pumps.unit), pumps.rating / pumps.load,
                                format_quantity(pumps.load, pumps.unit), pumps.must_carry));
  }
  return notes;
}

std::vector<std::string> economiser_modes(const Moment& now) {
  std::vector<std::string> modes;
  for (std::size_t number = 0; number < now.plant.economisers.size(); ++number) {
    modes.push_back(fmt::format("{}: {}", now.plant.economisers[number].name,
                                physics::name_of(now.state.economisers[number].now.mode)));
  }
  return modes;
}

class Search {
 public:
  explicit Search(const Scenario& scenario) : scenario_(scenario), hall_(scenario), limits_(hall_.plant(), scenario) {}

  RatingCheck run() {
    for (const Outage& outage : outages(hall_.plant())) look_at(outage);
    RatingCheck check;
    check.ratings = table_.ratings();
    check.limits = limits_.margins();
    check.limits_not_compared = limits_not_compared_;
    check.modes = modes_;
    check.notes = notes_;
    check.warnings = odd_set_points(scenario_, hall_.wet_bulb_k());
    const Plant& plant = hall_.plant();
    if (plant.meters.make_up_water != no_part) check.wet_bulb_k = hall_.wet_bulb_k();
    if (plant.outside.is_felt()) check.dry_bulb_k = hall_.dry_bulb_k();
    for (const Rating& rating : check.ratings) {
      if (!rating.is_enough()) check.warnings.push_back(warning_text(rating));
    }
    for (const LimitMargin& margin : check.limits) {
      const bool is_told_as_unheld = margin.of.starts_with("dies");
      if (!margin.is_kept() && !is_told_as_unheld) check.warnings.push_back(warning_text(margin));
    }
    std::ranges::copy(without_rest(), std::back_inserter(check.warnings));
    std::ranges::copy(doubts(), std::back_inserter(check.warnings));
    std::ranges::copy(unheld_, std::back_inserter(check.warnings));
    for (const auto& [what, told] : told_) {
      if (!told.worse.empty()) check.warnings.push_back(told.worse);
    }
    return check;
  }

 private:
  /// With valves wide open it is asked what they may take: no state that anybody wants.
  static bool have_limits_in(const Outage& outage) { return outage.sort != Sort::valves; }

  void look_at(const Outage& outage) {
    if (finds_no_rest_) {
      look_without_rest(outage);  // that it finds none has been told
      return;
    }
    try {
      hall_.settle(outage);
    } catch (const HeatTrapped&) {
      return tell_no_rest(outage,
                          "the hall comes to no rest at nameplate load: heat cannot leave it as fast as it comes");
    } catch (const NoSteadyState& none) {
      return tell_no_rest(
          outage, fmt::format("{}; where the search ended it moves most at {}", no_rest_found, none.moving_most));
    } catch (const SolverError&) {
      return tell_no_rest(outage, no_rest_found);
    }
    take_doubts(outage, hall_, "");
    const std::vector<CarriedLoad> loads = carried_loads(scenario_, hall_.moment());
    table_.take(outage, loads);
    if (outage.sort == Sort::nothing) {
      modes_ = economiser_modes(hall_.moment());
      notes_ = circling_notes(loads);
    }
    if (!have_limits_in(outage)) return;
    limits_.take(outage, hall_.moment());
    tell_unheld(outage);
  }

  void tell_no_rest(const Outage& outage, const std::string& why) {
    finds_no_rest_ = outage.sort == Sort::nothing;
    const char* loads = look_without_rest(outage);
    without_rest_[{why, loads}].push_back(outage.text);
  }

  /// What chillers would have to carry, and all else with them; where even that is no rest, power alone. Says which.
  const char* look_without_rest(const Outage& outage) {
    if (have_limits_in(outage)) limits_not_compared_.push_back(outage.text);
    if (const NameplateHall* hall = settled_with_ample_chillers(outage)) {
      table_.take(outage, carried_loads(scenario_, hall->moment()));
      take_doubts(outage, *hall, "with chillers that carry any heat, ");
      return "loads are those with chillers that carry any heat";
    }
    hall_.begin(outage);
    std::vector<CarriedLoad> loads = carried_loads(scenario_, hall_.moment());
    std::erase_if(loads, [](const CarriedLoad& load) { return !is_of_power(load); });
    table_.take(outage, loads);
    return "of its loads those of power alone are known";
  }

  /// Nothing where even that finds no rest. Without chillers it would be this hall, which has found none with nothing out.
  const NameplateHall* settled_with_ample_chillers(const Outage& outage) {
    const auto has_chillers = [](const ChilledWaterSpec& water) { return water.chillers.is_given; };
    const bool is_same = finds_no_rest_ && std::ranges::none_of(scenario_.cooling.chilled_water, has_chillers);
    if (is_same && outage.sort == Sort::nothing) return nullptr;
    if (!is_same && !ample_) ample_ = std::make_unique<NameplateHall>(with_ample_chillers(scenario_));
    NameplateHall& hall = is_same ? hall_ : *ample_;
    try {
      hall.settle(outage);
    } catch (const SolverError&) {
      return nullptr;
    }
    return &hall;
  }

  /// What is not held, each once: in the first outage that does it.
  void tell_unheld(const Outage& outage) {
    for (const Unheld& found : unheld(scenario_, hall_.moment())) {
      const auto [told, is_new] = told_.try_emplace(found.what, ToldUnheld{{}, found.above_k});
      if (is_new) unheld_.push_back(with_out(outage.text) + found.text);
      if (is_new || found.above_k <= told->second.above_k + held_within_k) continue;
      told->second = {with_out(outage.text) + found.text, found.above_k};
    }
  }

  /// Of every outage, since each has rows of its own.
  void take_doubts(const Outage& outage, const NameplateHall& hall, const std::string& hall_has) {
    for (const Unheld& doubt : hall.doubts()) {
      const std::string text = hall_has + doubt.text;
      const auto same = std::ranges::find(doubts_, text, &Doubt::text);
      Doubt& told = same == doubts_.end() ? doubts_.emplace_back(Doubt{text}) : *same;
      told.outs.push_back(outage.text);
    }
  }

  std::vector<std::string> doubts() const {
    std::vector<std::string> sentences;
    for (const Doubt& doubt : doubts_) sentences.push_back(with_any_out(doubt.outs, doubt.outs.size()) + doubt.text);
    return sentences;
  }

  /// Every outage in which no rest was found, and what was found in its place.
  std::vector<std::string> without_rest() const {
    constexpr std::size_t most_named = 4;
    std::vector<std::string> sentences;
    for (const auto& [what, outs] : without_rest_) {
      sentences.push_back(fmt::format("{}{}; {}", with_any_out(outs, most_named), what.first, what.second));
    }
    return sentences;
  }

  /// What a hall was left in although something asked for another state, and all outages in which it was.
  struct Doubt {
    std::string text;
    std::vector<std::string> outs = {};
  };

  const Scenario& scenario_;
  NameplateHall hall_;
  std::unique_ptr<NameplateHall> ample_;
  Table table_;
  LimitTable limits_;
  std::vector<std::string> limits_not_compared_;
  /// Something that is not held: what it is like with that out by which it is farthest from it, where that is farther than was told first.
  struct ToldUnheld {
    std::string worse;
    double above_k;
  };
  std::map<std::string, ToldUnheld> told_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> without_rest_;  ///< {why, its loads}: outages
  std::vector<Doubt> doubts_;
  std::vector<std::string> unheld_;
  std::vector<std::string> modes_;
  std::vector<std::string> notes_;
  bool finds_no_rest_ = false;  ///< with nothing out
};

std::string margin_text(const Rating& rating) {
  const double margin = rating.margin_fraction();
  return margin < least_told_margin ? "over 10 times" : fmt::format("{:.0f} %", 100.0 * margin);
}

}  // namespace

RatingCheck check_ratings(const Scenario& scenario) { return Search(scenario).run(); }

std::string warning_text(const Rating& rating) {
  const std::string trips = rating.trips_after_s < for_ever_s
                                ? fmt::format("; it would trip after {}", format_quantity(rating.trips_after_s, "s"))
                                : "";
  return fmt::format("{}{} must carry {}, {}, with a rating of {}{}", with_out(rating.out), rating.equipment,
                     rating.must_carry, format_quantity(rating.load, rating.unit),
                     format_quantity(rating.rating, rating.unit), trips);
}

std::string limits_not_compared_text(const RatingCheck& check) {
  const std::vector<std::string>& outs = check.limits_not_compared;
  if (outs.empty()) return {};
  if (outs.front() == Outage{}.text) return fmt::format("limits are not compared, whatever is out: {}", no_rest_found);
  return fmt::format("{}limits are not compared: {}", with_any_out(outs, outs.size()), no_rest_found);
}

std::string rating_table(const std::vector<Rating>& ratings) {
  using Row = std::array<std::string, 6>;
  std::vector<Row> rows{{"equipment", "must carry, at nameplate", "out", "load", "rating", "margin"}};
  for (const Rating& rating : ratings) {
    rows.push_back({rating.equipment, rating.must_carry, rating.out == "nothing" ? "-" : rating.out,
                    format_quantity(rating.load, rating.unit), format_quantity(rating.rating, rating.unit),
                    margin_text(rating)});
  }
  std::array<std::size_t, 6> width{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>{}}  {:>{}}  {:>{}}\n", row[0], width[0], row[1], width[1], row[2],
                        width[2], row[3], width[3], row[4], width[4], row[5], width[5]);
  }
  return text;
}

}  // namespace wattloop::twin
