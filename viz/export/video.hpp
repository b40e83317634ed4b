// Pictures to a video, by ffmpeg.
#pragma once

#include <filesystem>

namespace wattloop::viz {

inline constexpr int usual_frames_per_s = 10;

/// Whether ffmpeg is installed.
bool has_video_maker();

/// Whether a video can end so: .mp4, .webm, .gif.
bool is_video_name(const std::filesystem::path& file);

/// What is in `frames` under names frame_00001.png and on, one after the other. The video appears whole or not at all. Throws `FileError`.
void make_video(const std::filesystem::path& frames, int frames_per_s, const std::filesystem::path& output);

}  // namespace wattloop::viz
