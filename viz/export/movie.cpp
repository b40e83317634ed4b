#include "viz/export/movie.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/report/charts/picture_origin.hpp"
#include "viz/charts/timeline.hpp"
#include "viz/drawing/image.hpp"
#include "viz/drawing/virtual_display.hpp"
#include "viz/export/playback.hpp"
#include "viz/export/video.hpp"
#include "viz/hall/scene.hpp"
#include "viz/pages/page.hpp"
#include "viz/pages/picture.hpp"

namespace wattloop::viz {

namespace {

namespace fs = std::filesystem;

/// How far it is: a line drawn again and again on a terminal, a line for each fifth in a log.
class FrameProgress {
 public:
  explicit FrameProgress(std::size_t count) : count_(count), is_terminal_(isatty(STDERR_FILENO) == 1) {}

  void done(std::size_t frames) {
    const double gone_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const double left_s = gone_s / static_cast<double>(frames) * static_cast<double>(count_ - frames);
    const std::string text =
        fmt::format("frame {} of {}, {} left", frames, count_, format_quantity(std::ceil(left_s), "s"));
    if (is_terminal_) {
      fmt::print(stderr, "\r\x1b[K{}{}", text, frames == count_ ? "\r\x1b[K" : "");
      std::fflush(stderr);
    } else if (5 * frames / count_ > 5 * (frames - 1) / count_ && frames < count_) {
      fmt::print(stderr, "{}\n", text);
    }
  }

 private:
  std::size_t count_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// A folder that is gone with it.
class PassingFolder {
 public:
  explicit PassingFolder(fs::path folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  ~PassingFolder() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

 private:
  fs::path folder_;
};

}  // namespace

std::vector<double> movie_times_s(const twin::ResultsReader& results, std::size_t most) {
  const std::string group = results.has_table("racks") ? "racks" : "facility";
  if (!results.has_table(group)) return {};
  const std::vector<double> records_s = results.times_s(group);
  if (records_s.empty()) return {};
  std::vector<double> times_s;
  const std::size_t last = records_s.size() - 1, count = std::clamp<std::size_t>(most, 1, records_s.size());
  for (std::size_t k = 0; k < count; ++k) times_s.push_back(records_s[count == 1 ? last : k * last / (count - 1)]);
  for (const double event_s : reporting_times_s(results)) {
    const auto record = std::ranges::lower_bound(records_s, event_s);
    if (record != records_s.end()) times_s.push_back(*record);
  }
  std::ranges::sort(times_s);
  times_s.erase(std::ranges::unique(times_s).begin(), times_s.end());
  return times_s;
}

void draw_frames(const twin::ResultsReader& results, const MovieRequest& request, const std::string& file_name,
                 const fs::path& folder) {
  const std::vector<double> times_s = movie_times_s(results, request.frames);
  if (times_s.empty()) throw FileError(fmt::format("{} contains no records for a movie", file_name));
  const VirtualDisplay display;  // one for all frames
  const Hall hall = read_hall(results, file_name);
  FrameProgress progress(times_s.size());
  const std::vector<twin::PictureText> origin = twin::picture_origin(&results);
  for (std::size_t k = 0; k < times_s.size(); ++k) {
    const Scene scene = read_scene(results, hall,
                                   {.at_s = times_s[k],
                                    .field = request.field,
                                    .has_fixed_scales = request.has_fixed_scales,
                                    .is_isometric = request.is_isometric});
    const Page page =
        compose_page(scene, read_timeline(results, {scene.time_s, request.curves_of}), request.width, request.height);
    write_png(draw_picture(page, scene), folder / fmt::format("frame_{:05}.png", k + 1), origin);
    progress.done(k + 1);
  }
}

fs::path write_movie(const twin::ResultsReader& results, const MovieRequest& request, const std::string& file_name,
                     const fs::path& output) {
  const fs::path frames = output.parent_path() / (output.stem().string() + "_frames");
  if (!has_video_maker()) {
    fs::create_directories(frames);
    draw_frames(results, request, file_name, frames);
    return frames;
  }
  fs::path folder = frames;
  folder += fmt::format(".{}.partial", getpid());
  const PassingFolder passing(folder);
  draw_frames(results, request, file_name, folder);
  make_video(folder, usual_frames_per_s, output);
  return output;
}

}  // namespace wattloop::viz
