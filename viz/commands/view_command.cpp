#include "viz/commands/view_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <sstream>

#include "core/tables/time_of_run.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/program/trusted_results.hpp"
#include "twin/report/charts/picture_origin.hpp"
#include "viz/drawing/screen.hpp"
#include "viz/drawing/virtual_display.hpp"
#include "viz/export/movie.hpp"
#include "viz/export/video.hpp"
#include "viz/hall/item_course.hpp"
#include "viz/hall/shown_field.hpp"
#include "viz/hall/shown_time.hpp"
#include "viz/options/refused_option.hpp"
#include "viz/pages/picture.hpp"
#include "viz/window/hall_window.hpp"

namespace wattloop::viz {
namespace {

struct PictureSize {
  int width = 0, height = 0;
};

constexpr PictureSize smallest{800, 500}, largest{7680, 4320};

/// Reads a whole number at the start of `text` and removes it.
bool take_number(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(std::size_t(end - text.data()));
  return true;
}

PictureSize read_size(const std::string& given) {
  PictureSize size;
  std::string_view text = given;
  bool is_size = take_number(text, size.width) && text.starts_with('x');
  if (is_size) text.remove_prefix(1);
  is_size = is_size && take_number(text, size.height) && text.empty();
  const bool is_possible = is_size && size.width >= smallest.width && size.height >= smallest.height &&
                           size.width <= largest.width && size.height <= largest.height;
  if (!is_possible)
    refuse_option("--size", fmt::format("'{}' is not a size", given),
                  fmt::format("expected WIDTHxHEIGHT in pixels, from {}x{} to {}x{}", smallest.width, smallest.height,
                              largest.width, largest.height));
  return size;
}

/// The field that was asked for, else margins where racks are shown and their limits are known.
std::string field_of(const ViewOptions& options, const twin::ResultsReader& results, const Hall& hall) {
  if (!options.field.empty()) return options.field;
  return usual_field_name(results, what_is_shown(results, hall, {.rack = options.rack}).are_gpus);
}

/// The time that was asked for; the worst is that of the field that was asked for.
ShownTime shown_time_of(const ViewOptions& options, const twin::ResultsReader& results,
                        const std::optional<ShownField>& field, const Shown& shown) {
  const bool is_worst = options.at.empty() || options.at == "worst";
  const std::optional<ShownTime> worst =
      field && is_worst ? worst_time_of(results, *field, options.rack) : std::optional<ShownTime>{};
  return worst ? *worst : read_shown_time(results, options.at, shown);
}

/// The field that was asked for by its name; nothing where the usual one is shown.
std::optional<ShownField> chosen_field(const ViewOptions& options, const twin::ResultsReader& results,
                                       const Hall& hall) {
  if (options.field.empty()) return {};
  const SceneRequest request{.field = options.field, .rack = options.rack};
  return read_shown_field(results, options.field, what_is_shown(results, hall, request).are_gpus);
}

int view_movie(const ViewOptions& options, const PictureSize& size) {
  if (!is_video_name(options.movie))
    refuse_option("--movie", fmt::format("'{}' is no video file", printable(options.movie.string())),
                  "end it in .mp4, .webm or .gif");
  const twin::ResultsReader results(options.results);
  const Hall hall = read_hall(results, options.results.string());
  const MovieRequest request{options.frames,
                             size.width,
                             size.height,
                             field_of(options, results, hall),
                             options.scale != "auto",
                             options.is_isometric,
                             chosen_field(options, results, hall)};
  const std::filesystem::path written = write_movie(results, request, options.results.string(), options.movie);
  if (written == options.movie) {
    fmt::print("{}: {} frames, {} a second\n", printable(written.string()),
               movie_times_s(results, options.frames).size(), usual_frames_per_s);
  } else {
    fmt::print(stderr, "note: ffmpeg is not installed (Debian: ffmpeg), so no {} is made\n",
               printable(options.movie.string()));
    fmt::print("{}: {} frames as PNG\n", printable(written.string()), movie_times_s(results, options.frames).size());
  }
  return 0;
}

/// The window until it is closed; with an output a picture of it, on a display of our own.
int view_window(const ViewOptions& options, const PictureSize& size, const twin::ResultsReader& results,
                const Hall& hall, const ShownTime& moment) {
  const WindowRequest request{options.results.string(),
                              field_of(options, results, hall),
                              options.scale != "auto",
                              moment.time_s,
                              options.pick,
                              size.width,
                              size.height};
  if (options.output.empty()) {
    demand_screen();
    HallWindow(results, request).run();
    return 0;
  }
  const VirtualDisplay display;
  HallWindow window(results, request);
  std::istringstream keys(options.keys);
  for (std::string key; keys >> key;) window.press(key);
  write_png(window.image(), options.output, twin::picture_origin(&results));
  fmt::print("{}: the window at {}\n", options.output.string(), time_of_run(window.state().time_s()));
  return 0;
}

}  // namespace

int view(const ViewOptions& options) {
  const PictureSize size = read_size(options.size);
  if (!options.scale.empty() && options.scale != "fixed" && options.scale != "auto")
    refuse_option("--scale", fmt::format("'{}' is no scale", printable(options.scale)), "expected fixed or auto");
  if (options.is_list) {
    const twin::ResultsReader results(options.results);
    demand_layout(results, options.results.string());
    fmt::print("{}", fields_text(results));
    return 0;
  }
  if (!options.movie.empty()) return view_movie(options, size);
  const std::filesystem::path output =
      options.output.empty() ? std::filesystem::path(options.results).replace_extension(".png") : options.output;
  std::error_code ignored;
  if (std::filesystem::equivalent(output, options.results, ignored))
    refuse_option("-o", fmt::format("'{}' is the file that is viewed", output.string()), "name another picture");
  if (output.extension() != ".png")
    refuse_option("-o", fmt::format("'{}' is not a PNG file", output.string()), "end it in .png");

  const twin::ResultsReader results(options.results);
  const Hall hall = read_hall(results, options.results.string());
  if (options.is_window) return view_window(options, size, results, hall, read_shown_time(results, options.at));
  SceneRequest request{.field = field_of(options, results, hall),
                       .has_fixed_scales = options.scale != "auto",
                       .fits_quiet = options.scale != "fixed",
                       .is_isometric = options.is_isometric,
                       .rack = options.rack};
  const std::optional<ShownField> field = chosen_field(options, results, hall);
  const ShownTime moment = shown_time_of(options, results, field, what_is_shown(results, hall, request));
  request.at_s = moment.time_s;
  request.moment = moment.words;
  const Scene scene = read_scene(results, hall, request);
  const Timeline timeline = read_timeline(results, {scene.time_s, field, options.rack});
  const Page page = compose_page(scene, timeline, size.width, size.height);
  write_png(draw_picture(page, scene), output, twin::picture_origin(&results));
  fmt::print("{}: {} at {}\n", output.string(), scene.is_detailed ? "GPUs" : "racks", time_of_run(scene.time_s));
  return 0;
}

void add_view_command(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "Draw a run: the hall at one time and a timeline beside it");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  command->add_option("-o,--output", options->output, "Picture; default: the results file's name ending in .png")
      ->type_name("FILE");
  command
      ->add_option(
          "--at", options->at,
          "Time to show, such as 30min or 16:00, the kind of an event (first_throttle), worst, end; default: worst")
      ->type_name("TIME|EVENT");
  command
      ->add_option("--field", options->field,
                   "Quantity that colours racks, GPUs or equipment: margin, die_temperature, power, or any name that "
                   "--fields lists; default: for racks, the margin to the nearest limit; for GPUs, die_temperature")
      ->type_name("NAME");
  command->add_flag("--fields", options->is_list, "List the fields that can be drawn, and draw nothing");
  command
      ->add_option("--scale", options->scale,
                   "Colour scale: fixed (the same for every run) or auto (fitted to the shown values); default: fixed; "
                   "if no rack is near a limit, the scale of margins is fitted")
      ->type_name("fixed|auto");
  command
      ->add_option("--rack", options->rack,
                   "One rack from the front, with all its GPUs, instead of the hall: row_2.rack_7")
      ->type_name("NAME");
  command->add_flag("--isometric", options->is_isometric, "A hall in three dimensions instead of its plan");
  command
      ->add_flag("--window", options->is_window,
                 "A window instead of a picture: time, turning, picking; h lists its keys")
      ->excludes("--rack")
      ->excludes("--isometric");
  command->add_option("--pick", options->pick, "The part that the window shows at first: cdu_3, row_2.rack_7")
      ->type_name("NAME")
      ->needs("--window");
  command
      ->add_option("--keys", options->keys,
                   "With -o: keys pressed before the picture of the window is taken, \"Right p h\"")
      ->type_name("KEYS")
      ->needs("--window")
      ->needs("--output");
  command->add_option("--movie", options->movie, "A movie instead of a picture: .mp4, .webm or .gif; needs ffmpeg")
      ->type_name("FILE")
      ->excludes("--at")
      ->excludes("--rack")
      ->excludes("--output")
      ->excludes("--window");
  command
      ->add_option("--frames", options->frames,
                   "Number of frames of the movie, evenly spread; frames at failures are added")
      ->needs("--movie")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10000}))
      ->capture_default_str();
  command->add_option("--size", options->size, "Size in pixels")->type_name("WIDTHxHEIGHT")->capture_default_str();
  twin::add_trust(*command);
  command->footer(
      "Examples:\n"
      "  wattloop view results/one_rack.h5\n"
      "  wattloop view results/one_rack.h5 --at 30min --field power --size 1920x1080 -o power.png\n"
      "  wattloop view results/c_cdu_lost.h5 --field cdus.loading\n"
      "  wattloop view results/c_cdu_lost.h5 --rack row_2.rack_7\n"
      "  wattloop view results/e_all_cdus_lost.h5 --window\n"
      "  wattloop view results/e_all_cdus_lost.h5 --movie cdus_lost.mp4");
  command->callback([options, &action] { action = [options] { return view(*options); }; });
}

}  // namespace wattloop::viz
