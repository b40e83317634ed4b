#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/command_line_mistake.hpp"

#include <CLI/CLI.hpp>

#include "core/units/units.hpp"
#include "twin/document/override.hpp"

namespace wattloop::twin {

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "Change a value of the scenario: hall.racks.nodes=4; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command
      .add_option_function<std::vector<std::string>>(
          "--event",
          [&overrides](const std::vector<std::string>& events) {
            for (const std::string& event : events) overrides.push_back(event_override(event));
          },
          "Add an event to the scenario: 'at: 10 min, fail: cdu_1.pump_a'; may be repeated")
      ->type_name("EVENT")
      ->allow_extra_args(false);
}

void add_method(CLI::App& command, RunMethod& method) {
  command.add_option("--integrator", method.integrator, "Integrator")
      ->check(one_of({"monolithic", "multirate"}))
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--relative-tolerance", method.monolithic.relative_tolerance_ratio,
                  "Relative tolerance of the monolithic integrator")
      ->check(CLI::Range(1e-12, 1e-2))
      ->check([](const std::string& text) {  // which a range lets pass
        return text.find_first_of("nN") == std::string::npos ? std::string() : text + " is no number";
      })
      ->capture_default_str();
}

CLI::Validator is_time() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        try {
          return to_si(text, "s") >= 0.0 ? "" : text + " is before the start";
        } catch (const QuantityError& error) {
          return error.what();
        }
      },
      "");
}

void add_limits(CLI::App& command, std::vector<std::string>& limits) {
  command
      .add_option("--limit", limits,
                  "Check a limit on a figure of the summary, named as in --json: 'pue <= 1.2'; exit code 3 if it is "
                  "violated; may be repeated")
      ->type_name("'KPI <= VALUE UNIT'")
      ->allow_extra_args(false);
}

void add_units(CLI::App& command, UnitStyle& style) {
  command
      .add_option_function<std::string>(
          "--units",
          [&style](const std::string& name) { style = name == "ip" ? UnitStyle::inch_pound : UnitStyle::metric; },
          "Units of the printed text: metric or ip")
      ->check(one_of({"metric", "ip"}))
      ->type_name("NAME");
}

}  // namespace wattloop::twin
