// The inputs of a run with their checksums: by them one sees whether a result is still that of the files as they are.
#pragma once

#include <string>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// One line for each input, in order: its role, its checksum, its name. Files have their CRC-32. Variables of the environment have 16
/// bits of theirs, with the name: enough to see a change, too few to report a secret. `repeated` are the lines of the results that are
/// run again: of these, scenario, bases and library stay. Throws FileError.
std::string input_lines(const Scenario& scenario, const std::string& repeated = {});

/// The same without the files that make the text of the scenario: traces, weather, results, and variables of the environment.
std::string input_lines_beside_text(const Scenario& scenario);

/// Version, commit and checksum of the program that runs; the same for all levels of instructions.
std::string program_text();

/// "trace x.csv changed, library y.yaml is new"; empty where nothing did, or where nothing is known of `before`.
std::string input_changes(const std::string& before, const std::string& now);

}  // namespace wattloop::twin
