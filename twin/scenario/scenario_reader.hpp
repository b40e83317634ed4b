// Reads a scenario: the file, what it extends, the hardware library and overrides, checked as a whole.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/document/override.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// The scenario of a YAML file. `overrides` are "path=value" as after `--set`. Throws InputError with all
/// that is wrong.
Scenario read_scenario(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// Same from text; `name` stands for the file, whose folder is where relative paths begin.
Scenario read_scenario_text(std::string_view text, const std::filesystem::path& name,
                            const std::vector<std::string>& overrides = {});

/// A scenario that many are made of: its files are read and merged once.
class ScenarioBase {
 public:
  /// Reads the file and puts `changes`, then `overrides`, over it. Throws InputError with all that is wrong.
  ScenarioBase(const std::filesystem::path& file, const std::vector<std::string>& overrides,
               std::span<const DocumentChange> changes = {});
  ScenarioBase(ScenarioBase&&) noexcept;
  ~ScenarioBase();

  /// The scenario with these changes over it. From any thread; throws InputError.
  Scenario with(std::span<const DocumentChange> changes) const;

  /// `same`, which is of this base, with the events that `changes` append; nothing where one of them is before `from_s` or anything is
  /// wrong, which `with` reports. Its text is that of `same`.
  std::optional<Scenario> with_later_events(const Scenario& same, std::span<const DocumentChange> changes,
                                            double from_s) const;

 private:
  struct Source;
  std::filesystem::path file_;
  std::unique_ptr<Source> source_;
};

}  // namespace wattloop::twin
