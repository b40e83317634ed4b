// `wattloop view RESULTS`: a picture of a run from its results file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace wattloop::viz {

/// As given on the command line.
struct ViewOptions {
  std::filesystem::path results{};
  std::filesystem::path output{};  ///< empty: the results file's name ending in .png
  std::string at{};                ///< "30 min", "first_throttle", "worst", "end"; empty: worst
  std::string field{};             ///< see viz/hall/shown_field.hpp; empty: margin, of GPUs die_temperature
  bool is_list = false;            ///< of fields, instead of a picture
  std::string size = "1600x1000";
  std::string scale{};            ///< "fixed", "auto"; empty: fixed, but where nothing is near a limit
  std::string rack{};             ///< one from the front, instead of the hall
  bool is_isometric = false;      ///< a hall in three dimensions instead of its plan
  bool is_window = false;         ///< instead of a picture, or with an output a picture of it
  std::string pick{};             ///< the part that the window shows at first
  std::string keys{};             ///< pressed before a picture is taken of the window, with blanks between
  std::filesystem::path movie{};  ///< instead of a picture
  std::size_t frames = 120;       ///< of the movie
};

/// Writes the picture and says so on standard output; returns the exit code 0. Throws `InputError` and
/// `FileError`.
int view(const ViewOptions& options);

/// Adds `view`, which leaves what it has to do in `action`.
void add_view_command(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::viz
