// Movies: which times are shown, frames as pictures, a video as ffprobe reads it.
#include "viz/export/movie.hpp"

#include <algorithm>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/synthetic_run.hpp"
#include "viz/drawing/image.hpp"
#include "viz/export/video.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

TEST_CASE("frames are evenly spread from the first record to the last, with moments of failures on top", "[movie]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run =
      folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", "-q", "-o", "x.h5", "--set", "duration=10 min",
                  "--set", "record={facility: 5 s, racks: 5 s}", "--event", "at: 62 s, fail: cdu_1.pump_a"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  const twin::ResultsReader results(folder / "x.h5");
  const std::vector<double> times_s = movie_times_s(results, 5);
  CHECK(times_s == std::vector<double>{0.0, 65.0, 150.0, 300.0, 450.0, 600.0});  // the first record after the failure
  CHECK(movie_times_s(results, 1) == std::vector<double>{65.0, 600.0});
  CHECK(movie_times_s(results, 100000).size() == 121);
}

TEST_CASE("frames are the pictures of their times, and a video holds all of them", "[movie]") {
  const fs::path file = write_run({}, "movie");
  const TemporaryFolder folder;
  const twin::ResultsReader results(file);
  const MovieRequest request{.frames = 3, .width = 800, .height = 500};
  draw_frames(results, request, file.string(), folder.path());
  const std::size_t count = movie_times_s(results, 3).size();
  const Image first = read_png(folder / "frame_00001.png"), second = read_png(folder / "frame_00002.png");
  CHECK((first.width == 800 && first.height == 500));
  CHECK_FALSE(std::ranges::equal(first.pixels, second.pixels, [](const Colour& a, const Colour& b) {
    return a.red == b.red && a.green == b.green;
  }));
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == static_cast<std::ptrdiff_t>(count));
  if (!has_video_maker()) skip("ffmpeg is not installed");
  const WorkFolder work(WATTLOOP_PROGRAM);
  fs::copy_file(file, work / "run.h5");
  for (const char* name : {"run.mp4", "run.webm", "run.gif"}) {
    INFO(name);
    const Outcome made = work.run({"view", "run.h5", "--movie", name, "--frames", "3", "--size", "801x501"});
    INFO(made.errors);
    REQUIRE(made.exit_code == 0);
    CHECK_THAT(made.output, Contains(std::string(name) + ": " + std::to_string(count) + " frames, 10 a second"));
    const Outcome probe = work.run_shell(
        std::string("ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 ") +
        name);
    const std::string size = std::string(name) == "run.gif" ? "1000,625," : "802,502,";
    CHECK_THAT(probe.output, Contains(size + std::to_string(count)));
  }
  for (const auto& entry : fs::directory_iterator(work.path())) CHECK_THAT(entry.path().string(), !Contains("partial"));
}

TEST_CASE("without ffmpeg the frames stay, and what is no video is refused", "[movie]") {
  const WorkFolder work(WATTLOOP_PROGRAM);
  fs::copy_file(write_run({}, "movie_frames"), work / "run.h5");
  const Outcome frames = work.run_shell(
      "mkdir bin && ln -s \"$(command -v Xvfb)\" bin/ && PATH=$PWD/bin $wattloop view run.h5 --movie run.mp4 --frames "
      "2 --size 800x500");
  INFO(frames.errors);
  CHECK(frames.exit_code == 0);
  CHECK_THAT(frames.errors, Contains("ffmpeg is not installed (Debian: ffmpeg)"));
  CHECK(fs::exists(work / "run_frames/frame_00001.png"));
  CHECK_FALSE(fs::exists(work / "run.mp4"));
  CHECK_THAT(work.run({"view", "run.h5", "--movie", "run.avi"}).errors, Contains("end it in .mp4, .webm or .gif"));
  CHECK(work.run({"view", "run.h5", "--movie", "run.mp4", "--at", "1 min"}).exit_code == 1);
  CHECK(work.run({"view", "run.h5", "--frames", "3"}).exit_code == 1);
}
