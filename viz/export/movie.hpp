// A run as a movie: the picture of `view` at times that are evenly spread, and at moments of failures.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"
#include "viz/hall/shown_field.hpp"

namespace wattloop::viz {

struct MovieRequest {
  std::size_t frames = 120;
  int width = 1600, height = 1000;
  std::string field = "die_temperature";
  bool has_fixed_scales = true;
  bool is_isometric = false;
  std::optional<ShownField> curves_of{};  ///< a field that the reader chose, which has curves
};

/// Times of the frames: `most` of those at which racks are recorded, the first and the last among them, and those at which something failed
/// or was lost, which come on top. Ascending, each once.
std::vector<double> movie_times_s(const twin::ResultsReader& results, std::size_t most);

/// Draws the frames as frame_00001.png and on into a folder; reports how far it is and how long it will take on standard error.
void draw_frames(const twin::ResultsReader& results, const MovieRequest& request, const std::string& file_name,
                 const std::filesystem::path& folder);

/// Draws the frames and makes the video of them. Without ffmpeg the frames stay in a folder beside `output`, which is reported. Returns what was
/// written. Throws `InputError` and `FileError`.
std::filesystem::path write_movie(const twin::ResultsReader& results, const MovieRequest& request,
                                  const std::string& file_name, const std::filesystem::path& output);

}  // namespace wattloop::viz
