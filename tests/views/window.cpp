// The window: what keys change, which part lies under a point and what is said of it, and events as a display would send them.
#include "viz/window/hall_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/units/units.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "tests/views/synthetic_run.hpp"
#include "tests/views/telling_run.hpp"
#include "viz/drawing/virtual_display.hpp"
#include "viz/window/window_page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

WindowState minutes(std::size_t count) {
  std::vector<double> times_s;
  for (std::size_t k = 0; k < count; ++k) times_s.push_back(60.0 * double(k));
  return window_state(std::move(times_s), 300.0);
}

struct WindowShown {
  Scene scene, layers;
  WindowPage page;
};

WindowShown shown_at(const twin::ResultsReader& results, const WindowState& state) {
  Scene scene = read_scene(results,
                           {.at_s = state.time_s(),
                            .has_fixed_scales = true,
                            .is_isometric = !state.is_plan,
                            .may_show_gpus = !state.is_plan},
                           "run.h5");
  Scene layers = shown_layers(scene, state);
  WindowPage page = compose_window({scene, layers}, state, 1600, 1000);
  return {std::move(scene), std::move(layers), std::move(page)};
}

std::vector<std::string> texts_of(const WindowPage& page) {
  std::vector<std::string> texts;
  for (const auto& shape : page.page.drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(text->text);
  return texts;
}

bool has_kind(const Scene& scene, std::string_view kind) {
  return std::ranges::any_of(scene.boxes, [&](const SceneBox& shown) { return shown.box.kind == kind; });
}

/// Four digits, as all values are reported.
std::string celsius(double kelvin) { return fmt::format("{:.4g} °C", kelvin - 273.15); }

const twin::ResultsReader& reporting() {
  static const twin::ResultsReader results(write_reporting_run({.counts = reporting_site()}, "window"));
  return results;
}

std::size_t pixels_that_differ(const Image& a, const Image& b) {
  REQUIRE(a.pixels.size() == b.pixels.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) count += a.pixels[i] != b.pixels[i];
  return count;
}

}  // namespace

TEST_CASE("keys step through the records, play them and come back to the worst", "[window]") {
  WindowState state = minutes(11);
  CHECK(state.time_s() == 300.0);
  CHECK(press_key(state, "Right"));
  CHECK(state.time_s() == 360.0);
  press_key(state, "Home");
  press_key(state, "Left");
  CHECK(state.time_s() == 0.0);
  press_key(state, "space");
  CHECK(state.is_playing);
  for (int frame = 0; frame < 20; ++frame) play_on(state);
  CHECK(state.time_s() == 600.0);
  CHECK_FALSE(state.is_playing);  // it ends at the end
  press_key(state, "space");
  CHECK(state.time_s() == 0.0);  // and begins again
  press_key(state, "w");
  CHECK(state.time_s() == 300.0);
  CHECK_FALSE(state.is_playing);
  show_share(state, 0.71);
  CHECK(state.time_s() == 420.0);
  CHECK_FALSE(press_key(state, "x"));
  CHECK(press_key(state, "q"));
  CHECK(state.is_closed);
  CHECK(minutes(86401).stride == 288);  // a day of seconds plays in half a minute
}

TEST_CASE("each layer is there until its key is pressed, and again after that", "[window]") {
  for (const auto& [key, kind] : {std::pair("1", "rack"), {"3", "supply_pipe"}, {"4", "cdu"}, {"6", "tower"}}) {
    INFO(kind);
    WindowState state = minutes(11);
    if (std::string_view(kind) == "tower") press_key(state, key);  // outside is hidden at first
    CHECK(has_kind(shown_at(reporting(), state).layers, kind));
    press_key(state, key);
    const WindowShown hidden = shown_at(reporting(), state);
    CHECK_FALSE(has_kind(hidden.layers, kind));
    CHECK(hidden.layers.boxes.size() + hidden.layers.outdoors.size() > 10);
    press_key(state, key);
    CHECK(has_kind(shown_at(reporting(), state).layers, kind));
  }
  WindowState state = minutes(11);
  const auto count = [&] { return texts_of(shown_at(reporting(), state).page).size(); };
  const std::size_t with_labels = count();
  press_key(state, "l");
  CHECK(count() + 5 < with_labels);
  press_key(state, "h");
  const std::vector<std::string> help = texts_of(shown_at(reporting(), state).page);
  for (const char* words : {"play, pause", "racks: on", "labels: off", "close"})
    CHECK(std::ranges::count(help, words) == 1);
}

TEST_CASE("the part under a point is the one that is drawn there, in space and in the plan", "[window]") {
  WindowState state = minutes(11);
  for (const char* key : {"2", "3", "5"}) press_key(state, key);  // nothing hangs over racks
  for (const bool is_plan : {false, true}) {
    state.is_plan = is_plan;
    const WindowShown shown = shown_at(reporting(), state);
    std::size_t found = 0;
    for (std::size_t i = 0; i < shown.layers.boxes.size(); ++i) {
      const twin::LayoutBox& box = shown.layers.boxes[i].box;
      if (box.kind != "rack" && box.kind != "cdu") continue;
      INFO(box.name);
      Metres top_m = box.centre_m;
      top_m[2] += box.size_m[2] / 2;
      const Point at = is_plan
                           ? Point{shown.page.page.plan->at(box).middle_x(), shown.page.page.plan->at(box).middle_y()}
                           : shown.page.page.camera->project(top_m);
      CHECK(box_at(shown.layers, shown.page, at) == i);
      ++found;
    }
    CHECK(found == 12);
    CHECK_FALSE(box_at(shown.layers, shown.page, {5.0, 5.0}));
  }
  // Turned to the other side the tops are still where they are found.
  state.is_plan = false;
  turn(state, 140.0, -10.0);
  zoom(state, 1.7);
  const WindowShown turned = shown_at(reporting(), state);
  for (std::size_t i = 0; i < turned.layers.boxes.size(); ++i) {
    const twin::LayoutBox& box = turned.layers.boxes[i].box;
    Metres top_m = box.centre_m;
    top_m[2] += box.size_m[2] / 2;
    const Point at = turned.page.page.camera->project(top_m);
    const Rectangle& hall = turned.page.page.camera->area;
    if (box.kind != "rack" || at.x < hall.left || at.x > hall.right() || at.y < hall.bottom || at.y > hall.top())
      continue;
    CHECK(box_at(turned.layers, turned.page, at) == i);
  }
}

TEST_CASE("all that was recorded of a part is reported with its unit", "[window]") {
  const ReportingRun run{.counts = reporting_site()};
  const WindowState state = minutes(11);
  const WindowShown shown = shown_at(reporting(), state);
  const auto facts_of = [&](const std::string& name) {
    const auto box = std::ranges::find(shown.layers.boxes, name, [](const SceneBox& one) { return one.box.name; });
    REQUIRE(box != shown.layers.boxes.end());
    return part_facts(reporting(), *box, 300.0);
  };
  const auto says = [](const std::vector<PartFact>& facts, const std::string& name, const std::string& value) {
    return std::ranges::any_of(facts, [&](const PartFact& one) { return one.name == name && one.value == value; });
  };
  const auto rack = facts_of("row_1.rack_3");
  CHECK(rack.size() == 5);
  CHECK(says(rack, "max die temperature", celsius(reported(run, "racks", "max_die_temperature", 2, 300.0))));
  CHECK(says(rack, "IT power", format_quantity(reported(run, "racks", "it_power", 2, 300.0), "W")));
  const auto cdu = facts_of("cdu_2");
  CHECK(says(cdu, "loading", fmt::format("{:.1f} %", 100.0 * reported(run, "cdus", "loading", 1, 300.0))));
  CHECK(says(facts_of("loop_2.supply_pipe_1"), "return temperature",
             celsius(reported(run, "loops", "return_temperature", 1, 300.0))));
  CHECK_FALSE(cdu.front().is_wrong);
  // cdu_1 fails a quarter of an hour after the start.
  const auto box =
      std::ranges::find(shown.layers.boxes, std::string("cdu_1"), [](const SceneBox& o) { return o.box.name; });
  Scene later = read_scene(reporting(), {.at_s = 1200.0, .is_isometric = true}, "run.h5");
  const auto failed =
      std::ranges::find(later.boxes, std::string("cdu_1"), [](const SceneBox& o) { return o.box.name; });
  REQUIRE((box != shown.layers.boxes.end() && failed != later.boxes.end()));
  const auto wrong = part_facts(reporting(), *failed, 1200.0);
  CHECK((wrong.front().is_wrong && wrong.front().name == "failed"));
}

TEST_CASE("what is reported of a GPU is its own, the first, one between and the last", "[window]") {
  const ReportingRun run{.has_gpus = true};
  const twin::ResultsReader results(write_reporting_run(run, "window_of_gpus"));
  std::vector<twin::LayoutBox> gpus;
  for (const twin::LayoutBox& box : results.layout())
    if (box.kind == "gpu") gpus.push_back(box);
  REQUIRE(gpus.size() > 20);
  for (const std::size_t number : {std::size_t{0}, std::size_t{13}, gpus.size() - 1}) {
    INFO(gpus[number].name);
    const std::vector<PartFact> facts = part_facts(results, SceneBox{.box = gpus[number]}, 300.0);
    const auto die = std::ranges::find(facts, std::string("die temperature"), [](const auto& one) { return one.name; });
    REQUIRE(die != facts.end());
    CHECK(die->value == celsius(reported(run, "gpus", "die_temperature", number, 300.0)));
  }
}

TEST_CASE("the window follows keys, mouse and time", "[window]") {
  const VirtualDisplay display;
  HallWindow window(reporting(), {.file_name = "run.h5", .at_s = 600.0, .width = 1000, .height = 625});
  CHECK(window.state().time_s() == 600.0);
  const Image first = window.image();
  const auto click = [&](Point at) { window.drag(at, at); };
  const auto changes_by = [&](auto&& act) {
    const Image before = window.image();
    act();
    return pixels_that_differ(before, window.image());
  };
  CHECK(changes_by([&] { window.press("x"); }) == 0);
  CHECK(changes_by([&] { window.press("Right"); }) > 500);
  CHECK(window.state().time_s() == 660.0);
  window.press("space");
  CHECK(changes_by([&] { window.wait_a_frame(); }) > 500);
  CHECK(window.state().time_s() == 720.0);
  window.press("space");
  CHECK(changes_by([&] { window.wait_a_frame(); }) == 0);
  CHECK(changes_by([&] { window.press("3"); }) > 500);  // pipes are gone
  window.press("3");
  CHECK(changes_by([&] { window.drag({400.0, 400.0}, {500.0, 420.0}); }) > 20000);
  CHECK(window.state().view.azimuth_deg < -80.0);
  CHECK(changes_by([&] { window.turn_wheel(true); }) > 5000);
  CHECK(window.state().view.zoom > 1.1);
  window.press("r");
  CHECK(window.state().view.zoom == 1.0);
  CHECK(changes_by([&] { window.press("p"); }) > 20000);
  CHECK(window.state().is_plan);
  // The slider: the middle of its track is the middle of the run.
  WindowState state = window.state();
  const WindowShown plan = shown_at(reporting(), state);
  const WindowPage page = compose_window({plan.scene, plan.layers}, state, 1000, 625);
  click({page.slider.middle_x(), page.slider.middle_y()});
  CHECK(window.state().time_s() == 1800.0);
  state = window.state();
  const WindowShown later = shown_at(reporting(), state);
  const WindowPage now = compose_window({later.scene, later.layers}, state, 1000, 625);
  // A click pins a part; pointing elsewhere does not release it, Escape does.
  const auto rack =
      std::ranges::find(later.layers.boxes, std::string("row_1.rack_3"), [](const SceneBox& o) { return o.box.name; });
  const Rectangle at = now.page.plan->at(rack->box);
  click({at.middle_x(), at.middle_y()});
  CHECK(window.state().picked == "row_1.rack_3");
  window.point({at.right() + at.width / 2, at.middle_y()});
  CHECK(window.state().picked == "row_1.rack_3");
  window.press("Escape");
  CHECK(window.state().picked.empty());
  window.point({at.middle_x() + at.width, at.middle_y()});
  CHECK(window.state().picked == "row_1.rack_4");
  window.press("Home");
  window.press("q");
  CHECK(window.state().is_closed);
  CHECK(pixels_that_differ(first, window.image()) > 20000);
}

TEST_CASE("a window without a display says so and ends with exit code 4", "[window]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  fs::copy_file(write_run({}, "window_without_display"), folder / "run.h5");
  const Outcome none = folder.run_shell("env -u DISPLAY $wattloop view run.h5 --window");
  CHECK(none.exit_code == 4);
  CHECK(none.errors ==
        "file error: a window needs an X display, and $DISPLAY names none; without one, view draws pictures (-o) and "
        "movies (--movie)\n");
  const Outcome dead = folder.run_shell("DISPLAY=:4711 $wattloop view run.h5 --window");
  CHECK(dead.exit_code == 4);
  CHECK_THAT(dead.errors, Contains("':4711' of $DISPLAY does not answer"));
  CHECK(folder.run({"view", "run.h5", "--window", "--rack", "row_1.rack_1"}).exit_code == 1);
  CHECK(folder.run({"view", "run.h5", "--window", "--movie", "x.mp4"}).exit_code == 1);
}

TEST_CASE("a picture of the window needs no display of a person, and keys change it", "[window]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  fs::copy_file(write_reporting_run({.counts = reporting_site()}, "window_picture"), folder / "run.h5");
  const auto picture_of = [&](const std::string& options) {
    const Outcome done =
        folder.run_shell("env -u DISPLAY $wattloop view run.h5 --window -o x.png --size 1000x625 " + options);
    INFO(done.errors);
    REQUIRE(done.exit_code == 0);
    return read_png(folder / "x.png");
  };
  const Image plain = picture_of("");
  CHECK(pixels_that_differ(plain, picture_of("")) == 0);
  CHECK(pixels_that_differ(plain, picture_of("--pick cdu_2")) > 500);
  CHECK(pixels_that_differ(plain, picture_of("--keys 'p h'")) > 20000);
  const Outcome none = folder.run({"view", "run.h5", "--window", "--pick", "cdu_22", "-o", "x.png"});
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.errors, Contains("no drawn part is called 'cdu_22'") && Contains("'cdu_2'"));
}
