// A recorded quantity that colours boxes of a picture: which boxes, in which unit, on which scale.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/reader/results_reader.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {

struct ShownField {
  std::string group, column;
  std::vector<std::string> kinds{};  ///< of boxes that have it; those of a row are its racks
  std::string title{}, unit{};
  double factor = 1.0, offset = 0.0;  ///< shown = SI * factor + offset
  double least_width = 1.0;           ///< of its scale
  /// What a fixed scale goes by: limits of dies, the limit that margins are of, from nothing to the highest that is shown, all that the run recorded; jobs have a colour each.
  enum class FixedScale { die_limits, margin_limit, from_zero, whole_run, jobs } fixed = FixedScale::whole_run;

  double shown(double si) const { return si * factor + offset; }
  bool is_margin() const { return fixed == FixedScale::margin_limit; }
  bool is_job() const { return fixed == FixedScale::jobs; }
  /// Of margins, flows, clocks and charges the lowest value is the worst, of all else the highest.
  bool is_least_worst() const {
    return is_margin() || column.ends_with("flow") || column == "clock_fraction" || column == "state_of_charge";
  }
  /// "hottest", "highest", "lowest", "nearest its limit": what is said of the worst.
  std::string_view extreme_word() const {
    return is_margin() ? "nearest its limit" : is_least_worst() ? "lowest" : unit == "°C" ? "hottest" : "highest";
  }
};

/// "margin" where the results have limits of racks and the hall is shown by racks, else "die_temperature": what a picture shows if no field
/// is asked for.
std::string usual_field_name(const twin::ResultsReader& results, bool are_gpus_drawn);

/// The field that `name` means: "margin" of racks to the nearest limit; "die_temperature" and "power" of GPUs where these are drawn, else of racks; a column of racks, or of
/// what else has it alone; "cdus.valve_position", where several have it. Throws InputError with the fields that there are.
ShownField read_shown_field(const twin::ResultsReader& results, const std::string& name, bool are_gpus_drawn);

/// All that can be drawn, a line each with unit and meaning.
std::string fields_text(const twin::ResultsReader& results);

/// Gives boxes their values at the scene's time, and the scene its scale for them and the highest among them.
void colour_field(Scene& scene, const twin::ResultsReader& results, const ShownField& field);

}  // namespace wattloop::viz
