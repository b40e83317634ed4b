#include "viz/export/video.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"

namespace wattloop::viz {

namespace {

namespace fs = std::filesystem;

constexpr std::array video_names{".mp4", ".webm", ".gif"};

/// Exit code; -1 where the program cannot be started.
int run(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments.front(), nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Of each kind: players of .mp4 want even sizes and halved colours, a .gif a palette of its own.
std::vector<std::string> encoding(const fs::path& output) {
  if (output.extension() == ".gif")
    return {"-vf", "scale=1000:-1:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse"};
  const std::string even = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white";
  if (output.extension() == ".webm") return {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "34", "-vf", even};
  return {"-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-vf", even};
}

}  // namespace

bool has_video_maker() {
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    if (access((folders.substr(begin, end - begin) + "/ffmpeg").c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

bool is_video_name(const fs::path& file) {
  return std::ranges::any_of(video_names, [&](const char* name) { return file.extension() == name; });
}

void make_video(const fs::path& frames, int frames_per_s, const fs::path& output) {
  fs::path partial = fs::absolute(output);  // no name begins like an option
  partial.replace_filename(
      fmt::format("{}.{}.partial{}", output.stem().string(), getpid(), output.extension().string()));
  std::vector<std::string> words{"ffmpeg",
                                 "-nostdin",
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-framerate",
                                 std::to_string(frames_per_s),
                                 "-i",
                                 (frames / "frame_%05d.png").string()};
  std::ranges::copy(encoding(output), std::back_inserter(words));
  words.push_back(partial.string());
  const int exit_code = run(words);
  std::error_code failure;
  if (exit_code != 0) {
    fs::remove(partial, failure);
    throw FileError(fmt::format("cannot write {}: ffmpeg ended with {}", printable(output.string()), exit_code));
  }
  fs::rename(partial, output, failure);
  if (failure) throw FileError(fmt::format("cannot write {}: {}", printable(output.string()), failure.message()));
}

}  // namespace wattloop::viz
