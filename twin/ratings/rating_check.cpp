#include "twin/ratings/rating_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "electrical/ups_bypass.hpp"
#include "twin/actions/weather/condensation.hpp"
#include "twin/integration/steady/steady_state.hpp"
#include "twin/ratings/load_at_rating.hpp"
#include "twin/ratings/odd_set_points.hpp"
#include "twin/ratings/power/selectivity.hpp"
#include "twin/ratings/rating_row.hpp"
#include "twin/ratings/remedies.hpp"

namespace wattloop::twin {

namespace {

constexpr double reported_above_fraction = 0.02;  ///< of a rating: what an outage must add to be reported

constexpr double far_too_much_ratio = 2.5;  ///< of what pumps move over what is taken, from which on it is reported

constexpr double may_freeze_k = 278.15;  ///< outside: margins of water are looked for with machines out, too

constexpr const char* no_steady_state_found = "no steady state was found at nameplate load";

using OutageKind = Outage::Kind;

/// Equipment that carries nothing until something else is out.
bool stands_by(std::string_view kind) { return kind == "generator" || kind == electrical::UpsBypass::kind; }

double loading(const CheckRow& rating) { return rating.value / rating.limit; }

/// The fullest of every kind in every kind of outage.
class Table {
 public:
  void take(const Outage& outage, const std::vector<LoadAtRating>& loads) {
    const bool is_on_generators = outage.kind == OutageKind::feeds || outage.kind == OutageKind::start;
    for (const LoadAtRating& carried : loads) {
      if (is_on_generators && carried.kind != "generator") continue;  // the others carry what they do on feeds
      if (std::ranges::find(order_, carried.kind) == order_.end()) order_.push_back(carried.kind);
      keep(carried.kind, outage.kind, rating_of(carried, outage.text));
      if (outage.kind == OutageKind::nothing && carried.modules > 1) take_module(carried);
    }
  }

  /// With nothing out where nothing that is out adds to it, or where that alone is too much; and what adds most.
  std::vector<CheckRow> rows() const {
    std::vector<CheckRow> list;
    for (const std::string& kind : order_) {
      const std::map<OutageKind, CheckRow>& of_kind = worst_.at(kind);
      const auto whole = of_kind.find(OutageKind::nothing);
      const double whole_fraction = whole == of_kind.end() ? 0.0 : loading(whole->second);
      std::vector<CheckRow> out;
      for (const auto& [outage_kind, rating] : of_kind) {
        if (outage_kind == OutageKind::nothing || loading(rating) <= whole_fraction + reported_above_fraction) continue;
        out.push_back(rating);
        if (whole != of_kind.end()) out.back().nothing_out = whole->second.value;
      }
      const bool is_whole_reported = whole != of_kind.end() && (out.empty() || !whole->second.is_met());
      if (is_whole_reported && !(stands_by(kind) && whole->second.value == 0.0)) {
        list.push_back(whole->second);
        list.back().nothing_out = list.back().value;
      }
      list.insert(list.end(), out.begin(), out.end());
    }
    return list;
  }

 private:
  /// Modules of one box share its load whatever their number: the load is the same with one less.
  void take_module(const LoadAtRating& carried) {
    LoadAtRating rest = carried;
    rest.rating *= (carried.modules - 1.0) / carried.modules;
    keep(carried.kind, OutageKind::module, rating_of(rest, fmt::format("1 of its {} modules", carried.modules)));
  }

  /// Of those that are as full the first.
  void keep(const std::string& kind, OutageKind outage_kind, CheckRow rating) {
    constexpr double equal_ratio = 1e-4;  // of loads that two searches find
    const auto [place, is_new] = worst_[kind].emplace(outage_kind, rating);
    if (!is_new && loading(rating) > loading(place->second) * (1.0 + equal_ratio)) place->second = std::move(rating);
  }

  std::vector<std::string> order_;
  std::map<std::string, std::map<OutageKind, CheckRow>> worst_;
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

/// Pumps that all run and move far more than is taken: they circle it, and draw for that.
std::vector<std::string> circling_notes(const std::vector<LoadAtRating>& loads) {
  std::vector<std::string> notes;
  for (const LoadAtRating& pumps : loads) {
    if (!pumps.circles || pumps.load <= 0.0 || pumps.rating < far_too_much_ratio * pumps.load) continue;
    notes.push_back(fmt::format("{} move {}, {:.1f} times the {} that {} take: the excess flows through a bypass",
                                pumps.equipment, format_quantity(pumps.rating, pumps.unit), pumps.rating / pumps.load,
                                format_quantity(pumps.load, pumps.unit), pumps.must_carry));
  }
  return notes;
}

std::vector<std::string> economiser_modes(const PlantSnapshot& now) {
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
    const double wet_bulb_k = hall_.wet_bulb_k();
    check.has_steady_state = !has_no_steady_state_;
    check.limits_not_compared = limits_not_compared_;
    check.modes = modes_;
    check.notes = notes_;
    const Plant& plant = hall_.plant();
    if (plant.meters.make_up_water != no_part) check.wet_bulb_k = wet_bulb_k;
    if (plant.outside.is_felt()) check.dry_bulb_k = hall_.dry_bulb_k();
    add_hours(hall_);
    if (plant.outside.is_felt() && !has_no_steady_state_) {
      look_at_coldest_hour();
      check.lowest_dry_bulb_k = hall_.dry_bulb_k();
    }
    for (CheckRow& row : short_circuit_rows(plant)) keep_nearest(std::move(row), true, rows_);
    check.rows = all_rows();
    check.hours = hours_;
    for (const CheckRow& row : one_of_each(check.rows))
      if (!row.is_met()) check.warnings.push_back(row_text(row));
    check.other_warnings = odd_set_points(scenario_, wet_bulb_k);
    std::ranges::copy(coldest_hour_, std::back_inserter(check.other_warnings));
    std::ranges::move(without_steady_state(), std::back_inserter(check.other_warnings));
    std::ranges::move(doubts(), std::back_inserter(check.other_warnings));
    std::ranges::copy(check.other_warnings, std::back_inserter(check.warnings));
    return check;
  }

 private:
  /// All rows until now are of that hour.
  void add_hours(const NameplateHall& hall) {
    rows_ = table_.rows();
    std::ranges::copy(limits_.rows(), std::back_inserter(rows_));
    std::ranges::copy(set_points_, std::back_inserter(rows_));
    for (CheckRow& row : rows_)
      if (hall.plant().outside.is_felt()) row.hour_s = hall.hour_s();
  }

  /// Limits that are passed from above, as freezing is, dew points and water below its set-point; of halls that change their mode with the
  /// weather ratings, too. Where water may freeze outside, with machines out, too.
  void look_at_coldest_hour() {
    if (!hall_.go_to_coldest_hour()) return;
    LimitTable limits(hall_.plant(), scenario_);
    if (!settle_in_the_cold({}, limits)) return;
    hours_.push_back(check_hour("coldest", hall_.hour_s(), hall_.snapshot()));
    for (CheckRow& row : low_set_points(hall_.snapshot())) take_coldest(std::move(row));
    take_dew_points();
    if (!hall_.plant().economisers.empty()) {
      Table table;
      table.take({}, loads_at_rating(scenario_, hall_.snapshot()));
      for (const CheckRow& row : table.rows()) take_coldest(row);
    }
    if (hall_.dry_bulb_k() < may_freeze_k) {
      for (const Outage& outage : outages(hall_.plant())) {
        if (outage.kind == OutageKind::machine) settle_in_the_cold(outage, limits);
      }
    }
    for (const CheckRow& row : limits.rows()) {
      if (row.side == Side::below) take_coldest(row);
    }
  }

  bool settle_in_the_cold(const Outage& outage, LimitTable& limits) {
    try {
      hall_.settle(outage);
    } catch (const SolverError&) {
      coldest_hour_.push_back(fmt::format("{}in the coldest hour of the run, with a dry bulb of {} outside, {}",
                                          with_out(outage.text), format_quantity(hall_.dry_bulb_k(), "K"),
                                          no_steady_state_found));
      return false;
    }
    limits.take(outage, hall_.snapshot());
    return true;
  }

  void take_dew_points() {
    const PlantSnapshot now = hall_.snapshot();
    for (const WaterAtCoils& at : waters_at_coils(hall_.plant(), hall_.dew_point_outside_k(), now.state)) {
      take_coldest({.kind = CheckRow::Kind::limit,
                    .of = "waters of coils",
                    .name = at.water,
                    .quantity = "temperature",
                    .why = fmt::format("less than {:.0f} K above the dew point of {}", condensation_margin_k, at.room),
                    .unit = "K",
                    .side = Side::below,
                    .value = at.water_k,
                    .limit = at.least_k});
    }
  }

  void take_coldest(CheckRow row) {
    row.hour_s = hall_.hour_s();
    const bool is_with_nothing_out = row.out == Outage{}.text;
    keep_nearest(std::move(row), is_with_nothing_out, rows_);
  }

  std::vector<CheckRow> all_rows() const {
    std::vector<CheckRow> rows = rows_;
    for (CheckRow& row : rows) row.remedy = remedy_of(row);
    rank(rows);
    return rows;
  }

  /// With valves wide open it is asked what they may take: no state that anybody wants.
  static bool have_limits_in(const Outage& outage) { return outage.kind != OutageKind::valves; }

  void look_at(const Outage& outage) {
    if (has_no_steady_state_) {
      look_without_steady_state(outage);  // that it finds none has been reported
      return;
    }
    try {
      hall_.settle(outage);
    } catch (const HeatTrapped&) {
      return report_no_steady_state(
          outage, "the hall has no steady state at nameplate load: it removes less heat than its equipment releases");
    } catch (const NoSteadyState& none) {
      return report_no_steady_state(
          outage, fmt::format("{}; where the search ended, {}", no_steady_state_found, none.moving_most));
    } catch (const SolverError&) {
      return report_no_steady_state(outage, no_steady_state_found);
    }
    take_doubts(outage, hall_, "");
    const std::vector<LoadAtRating> loads = loads_at_rating(scenario_, hall_.snapshot());
    table_.take(outage, loads);
    if (outage.kind == OutageKind::nothing) {
      if (hall_.plant().outside.is_felt()) hours_.push_back(check_hour("warmest", hall_.hour_s(), hall_.snapshot()));
      modes_ = economiser_modes(hall_.snapshot());
      notes_ = circling_notes(loads);
    }
    if (!have_limits_in(outage)) return;
    take_limits(outage);
  }

  void report_no_steady_state(const Outage& outage, const std::string& why) {
    has_no_steady_state_ = outage.kind == OutageKind::nothing;
    const char* loads = look_without_steady_state(outage);
    without_steady_state_[{why, loads}].push_back(outage.text);
  }

  /// What chillers would have to carry, and all else with them; where even that is no steady state, power alone. Says which.
  const char* look_without_steady_state(const Outage& outage) {
    if (have_limits_in(outage)) limits_not_compared_.push_back(outage.text);
    if (const NameplateHall* hall = settled_with_ample_chillers(outage)) {
      table_.take(outage, loads_at_rating(scenario_, hall->snapshot()));
      take_doubts(outage, *hall, "with chillers that carry any heat, ");
      return "loads are those with chillers that carry any heat";
    }
    hall_.begin(outage);
    std::vector<LoadAtRating> loads = loads_at_rating(scenario_, hall_.snapshot());
    std::erase_if(loads, [](const LoadAtRating& load) { return !is_of_power(load); });
    table_.take(outage, loads);
    return "only the loads of its power equipment are known";
  }

  /// Nothing where even that finds no steady state. Without chillers it would be this hall, which has found none with nothing out.
  const NameplateHall* settled_with_ample_chillers(const Outage& outage) {
    const auto has_chillers = [](const ChilledWaterSpec& water) { return water.chillers.is_given; };
    const bool is_same = has_no_steady_state_ && std::ranges::none_of(scenario_.cooling.chilled_water, has_chillers);
    if (is_same && outage.kind == OutageKind::nothing) return nullptr;
    if (!is_same && !ample_) ample_ = std::make_unique<NameplateHall>(with_ample_chillers(scenario_));
    NameplateHall& hall = is_same ? hall_ : *ample_;
    try {
      hall.settle(outage);
    } catch (const SolverError&) {
      return nullptr;
    }
    return &hall;
  }

  /// Of a hall that is dark nothing else is reported.
  void take_limits(const Outage& outage) {
    std::vector<CheckRow> unmet = unmet_set_points(hall_.snapshot(), scenario_.racks);
    const auto is_dark = [](const CheckRow& row) { return row.kind == CheckRow::Kind::power && row.value == 0.0; };
    if (std::ranges::any_of(unmet, is_dark))
      std::erase_if(unmet, [](const CheckRow& row) { return row.kind != CheckRow::Kind::power; });
    else
      limits_.take(outage, hall_.snapshot());
    for (CheckRow& row : unmet) {
      row.out = outage.text;
      keep_nearest(std::move(row), outage.kind == OutageKind::nothing, set_points_);
    }
  }

  /// Of every outage, since each has rows of its own.
  void take_doubts(const Outage& outage, const NameplateHall& hall, const std::string& hall_has) {
    for (const std::string& doubt : hall.doubts()) {
      const std::string text = hall_has + doubt;
      const auto same = std::ranges::find(doubts_, text, &Doubt::text);
      Doubt& reported = same == doubts_.end() ? doubts_.emplace_back(Doubt{text}) : *same;
      reported.outs.push_back(outage.text);
    }
  }

  std::vector<std::string> doubts() const {
    std::vector<std::string> sentences;
    for (const Doubt& doubt : doubts_) sentences.push_back(with_any_out(doubt.outs, doubt.outs.size()) + doubt.text);
    return sentences;
  }

  /// Every outage in which no steady state was found, and what was found in its place.
  std::vector<std::string> without_steady_state() const {
    constexpr std::size_t most_named = 4;
    std::vector<std::string> sentences;
    for (const auto& [what, outs] : without_steady_state_) {
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
  std::vector<CheckRow> set_points_, rows_;
  std::vector<std::string> coldest_hour_;
  std::vector<CheckHour> hours_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>>
      without_steady_state_;  ///< {why, its loads}: outages
  std::vector<Doubt> doubts_;
  std::vector<std::string> modes_;
  std::vector<std::string> notes_;
  bool has_no_steady_state_ = false;  ///< with nothing out
};

}  // namespace

RatingCheck check_ratings(const Scenario& scenario) { return Search(scenario).run(); }

std::string limits_not_compared_text(const RatingCheck& check) {
  const std::vector<std::string>& outs = check.limits_not_compared;
  if (outs.empty()) return {};
  if (outs.front() == Outage{}.text)
    return fmt::format("limits are not compared, whatever is out: {}", no_steady_state_found);
  return fmt::format("{}limits are not compared: {}", with_any_out(outs, outs.size()), no_steady_state_found);
}

}  // namespace wattloop::twin
