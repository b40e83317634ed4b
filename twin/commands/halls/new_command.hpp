// `wattloop new`: a commented scenario of a new hall, sized from five answers.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

#include "twin/sizing/asked_hall.hpp"

namespace CLI {
class App;
}

namespace wattloop::twin {

struct NewOptions {
  AskedHall asked;
  std::filesystem::path output = "my_hall.yaml";
  bool has_answers = false;   ///< any of the five was given as an option
  bool is_forced = false;     ///< replaces a file that is there
  bool is_unchecked = false;  ///< as sized, without what `check` says of it
  bool is_drawn = false;      ///< power as a one-line diagram, instead of blocks
  bool is_quiet = false;      ///< no notes
  bool is_listing = false;    ///< shows the choices, writes nothing
};

/// Exit code 0; notes on standard error. Throws InputError, FileError.
int new_command(const NewOptions& options);

/// Asks the five questions, each with its default; an empty line takes it. What is unknown is reported and asked again; at the end of the input
/// defaults stand for what is left.
void ask_for_hall(std::istream& answers, std::ostream& questions, AskedHall& asked);

void add_new(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
