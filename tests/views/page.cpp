// What stands where on a page, before anything is painted.
#include "viz/pages/page.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/views/synthetic_run.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

struct Drawn {
  Scene scene;
  Page page;
};

Drawn page_of(const SyntheticRun& run, const std::string& name, int width, int height, bool is_isometric = false) {
  const auto file = write_run(run, name);
  const twin::ResultsReader results(file);
  Scene scene = read_scene(results, {.is_isometric = is_isometric}, file.string());
  Page page = compose_page(scene, read_timeline(results, {.shown_s = scene.time_s}), width, height);
  return {std::move(scene), std::move(page)};
}

Rectangle room_of(const Text& text) {
  const double width = text_width(text);
  if (text.is_upright) return {text.at.x - 0.5 * text.size, text.at.y - 0.5 * width, text.size, width};
  const double left = text.at.x - (text.align == Align::left ? 0.0 : text.align == Align::centre ? width / 2 : width);
  return {left, text.at.y - 0.5 * text.size, width, text.size};
}

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.left < b.right() && b.left < a.right() && a.bottom < b.top() && b.bottom < a.top();
}

std::vector<Text> texts_of(const Drawing& drawing) {
  std::vector<Text> texts;
  for (const auto& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(*text);
  return texts;
}

SyntheticRun hall_run(int rows, int racks, int loops) {
  SyntheticRun run{.counts = {.rows = rows, .racks = racks, .loops = loops, .cdus_per_loop = 2}, .duration_s = 300.0};
  run.has_gpus = racks <= 4;
  return run;
}

SyntheticRun site_run() { return {.counts = whole_site(), .duration_s = 300.0, .has_gpus = false}; }

}  // namespace

TEST_CASE("no two texts of a page overlap and all stay on it", "[page]") {
  struct Case {
    SyntheticRun run;
    int width, height;
  };
  for (const Case& one : {Case{hall_run(1, 1, 1), 1600, 1000}, Case{hall_run(1, 1, 1), 1920, 1080},
                          Case{hall_run(1, 1, 1), 1000, 625}, Case{hall_run(2, 4, 1), 1600, 1000},
                          Case{hall_run(8, 160, 4), 1600, 1000}, Case{hall_run(40, 200, 20), 1920, 1080},
                          Case{site_run(), 1600, 1000}, Case{site_run(), 1000, 625}, Case{site_run(), 2400, 1000}}) {
    const Drawn drawn = page_of(one.run, "texts", one.width, one.height, GENERATE(false, true));
    const std::vector<Text> texts = texts_of(drawn.page.drawing);
    CHECK(texts.size() > 30);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Rectangle room = room_of(texts[i]);
      INFO(texts[i].text);
      CHECK(room.left >= 0.0);
      CHECK(room.bottom >= 0.0);
      CHECK(room.right() <= one.width);
      CHECK(room.top() <= one.height);
      for (std::size_t j = 0; j < i; ++j) {
        INFO(texts[j].text);
        CHECK_FALSE(overlap(room, room_of(texts[j])));
      }
    }
  }
}

TEST_CASE("long names of parts and runs keep within the page and beside what else is said", "[page]") {
  const auto file = write_run(site_run(), "long_names");
  const twin::ResultsReader results(file);
  Scene scene = read_scene(results, {}, file.string());
  const std::string long_name = "the_second_hall_of_the_eastern_campus_";
  scene.title = "A title that says in very many words what the run is about, and then goes on to say it once more";
  scene.wrong = {scene.title, scene.title, scene.title};
  for (std::vector<SceneBox>* boxes : {&scene.boxes, &scene.outdoors})
    for (SceneBox& shown : *boxes)
      if (shown.box.kind != "rack") shown.box.name = long_name + shown.box.name;
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1000, 625}, {800, 500}}) {
    const std::vector<Text> texts =
        texts_of(compose_page(scene, read_timeline(results, {.shown_s = scene.time_s}), width, height).drawing);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Rectangle room = room_of(texts[i]);
      INFO(width << ": " << texts[i].text);
      CHECK((room.left >= 0.0 && room.right() <= width && room.bottom >= 0.0 && room.top() <= height));
      for (std::size_t j = 0; j < i; ++j) {
        INFO(texts[j].text);
        CHECK_FALSE(overlap(room, room_of(texts[j])));
      }
    }
  }
}

TEST_CASE("a long reason for the moment goes on in a second line, beside the figures", "[page]") {
  const auto file = write_run(hall_run(1, 1, 1), "long_reason");
  const twin::ResultsReader results(file);
  Scene scene = read_scene(results, {}, file.string());
  scene.moment = "when a die is hottest, of times at which GPUs were recorded; the peak was 82.44 degC at 25 min 11 s";
  for (const int width : {1000, 1600}) {
    const Page page = compose_page(scene, read_timeline(results, {.shown_s = scene.time_s}), width, width * 5 / 8);
    const std::vector<Text> texts = texts_of(page.drawing);
    CHECK(std::ranges::none_of(texts, [](const Text& text) { return text.text.find("degC") != std::string::npos; }));
    CHECK(std::ranges::any_of(texts, [](const Text& text) { return text.text.ends_with("25 min 11 s"); }));
    const auto title = std::ranges::find(texts, scene.title, &Text::text);
    const auto reason =
        std::ranges::find_if(texts, [](const Text& text) { return text.text.find("when a die") != std::string::npos; });
    REQUIRE((title != texts.end() && reason != texts.end()));
    CHECK(room_of(*title).bottom - room_of(*reason).top() > 0.5 * reason->size);  // tails of letters hang below
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        INFO(texts[i].text << " | " << texts[j].text);
        CHECK_FALSE(overlap(room_of(texts[i]), room_of(texts[j])));
      }
  }
}

TEST_CASE("the camera holds the whole hall inside of its area", "[page]") {
  for (const SyntheticRun& run : {hall_run(1, 1, 1), hall_run(8, 160, 4), hall_run(40, 200, 20), site_run()}) {
    const Drawn drawn = page_of(run, "camera", 1600, 1000, true);
    REQUIRE(drawn.page.camera);
    const Camera& camera = *drawn.page.camera;
    Rectangle reach{1e9, 1e9, 0.0, 0.0};
    double right = -1e9, top = -1e9;
    for (const SceneBox& shown : drawn.scene.boxes) {
      for (int corner = 0; corner < 8; ++corner) {
        const Point point = camera.project(corner_m(shown.box, corner));
        reach.left = std::min(reach.left, point.x);
        reach.bottom = std::min(reach.bottom, point.y);
        right = std::max(right, point.x);
        top = std::max(top, point.y);
      }
    }
    CHECK(reach.left >= camera.area.left);
    CHECK(reach.bottom >= camera.area.bottom);
    CHECK(right <= camera.area.right());
    CHECK(top <= camera.area.top());
    const double filled_width = (right - reach.left) / camera.area.width,
                 filled_height = (top - reach.bottom) / camera.area.height;
    CHECK(std::max(filled_width, filled_height) > 0.6);
  }
}

TEST_CASE("a camera keeps its margins, each on both of its sides, whichever side of the hall is longer", "[page]") {
  const Rectangle area{100.0, 50.0, 800.0, 400.0};
  const Point margin{40.0, 25.0};
  for (const auto& [width_m, height_m] : {std::pair(20.0, 2.0), std::pair(3.0, 12.0)}) {
    const std::vector<twin::LayoutBox> boxes{{"row_1.rack_1", "rack", "", {5.0, 1.0, 3.0}, {width_m, 1.0, height_m}}};
    const Camera camera = fit_camera(boxes, {0.0, -1.0, 0.0}, area, margin);  // from the front
    const Point low = camera.project(corner_m(boxes.front(), 0)), high = camera.project(corner_m(boxes.front(), 7));
    CAPTURE(width_m, height_m);
    const double scale = std::min((800.0 - 80.0) / width_m, (400.0 - 50.0) / height_m);
    CHECK(camera.pixels_per_metre == Approx(scale));
    CHECK(std::abs(high.x - low.x) == Approx(width_m * scale));
    CHECK(high.y - low.y == Approx(height_m * scale));
    CHECK((low.x + high.x) / 2 == Approx(500.0));
    CHECK((low.y + high.y) / 2 == Approx(250.0));
  }
}

TEST_CASE("the plan holds every box where it stands, each once, and fills its part of the page", "[page]") {
  for (const SyntheticRun& run : {hall_run(8, 160, 4), hall_run(40, 200, 20), hall_run(80, 1600, 20), site_run()}) {
    const Drawn drawn = page_of(run, "plan", 1600, 1000);
    CHECK_FALSE(drawn.page.camera);
    REQUIRE(drawn.page.plan);
    const PlanLayout& plan = *drawn.page.plan;
    std::vector<Rectangle> racks;
    double right = 0.0, bottom = 1e9;
    for (const SceneBox& shown : drawn.scene.boxes) {
      if (shown.box.kind == "supply_pipe" || shown.box.kind == "return_pipe") continue;
      const Rectangle at = plan.at(shown.box), floor = plan.floor(plan.block_of(shown.box));
      INFO(shown.box.name);
      CHECK(at.left >= floor.left - 1e-6);
      CHECK(at.right() <= floor.right() + 1e-6);
      CHECK(at.top() <= floor.top() + 1e-6);
      CHECK(at.bottom >= floor.bottom - 1e-6);
      CHECK(at.width == Approx(shown.box.size_m[0] * plan.pixels_per_metre));
      right = std::max(right, floor.right());
      bottom = std::min(bottom, floor.bottom);
      if (shown.box.kind == "rack") racks.push_back(at);
    }
    for (std::size_t i = 0; i < racks.size(); ++i)
      for (std::size_t j = 0; j < i; j += 1 + racks.size() / 100)
        CHECK_FALSE(overlap(
            {racks[i].left + 0.01, racks[i].bottom + 0.01, racks[i].width - 0.02, racks[i].height - 0.02}, racks[j]));
    CHECK(right <= drawn.page.plan->area.right() + 1e-6);
    const double filled = std::max((right - plan.area.left) / plan.area.width, (plan.top - bottom) / 500.0);
    CHECK(filled > 0.7);
  }
}

TEST_CASE("what a wide hall leaves of its part of the page stands above it, below it and below its equipment",
          "[page]") {
  const Drawn drawn = page_of(hall_run(2, 40, 2), "wide", 1600, 1000);
  REQUIRE(drawn.page.plan);
  const std::vector<Text> texts = texts_of(drawn.page.drawing);
  const auto top_of = [&](const std::string& begin) {
    const auto found = std::ranges::find_if(texts, [&](const Text& text) { return text.text.starts_with(begin); });
    INFO(begin);
    REQUIRE(found != texts.end());
    return room_of(*found);
  };
  const PlanLayout& plan = *drawn.page.plan;
  const Rectangle floor = plan.floor(plan.blocks.front());
  const double above = top_of("framed: ").bottom - floor.top(), below = floor.bottom - top_of("loop 1").top();
  double lowest = floor.bottom;
  for (const Text& text : texts)
    if (text.text.starts_with("CDU 1")) lowest = std::min(lowest, room_of(text).bottom);
  const double rest = lowest - top_of("hottest die of each rack").top();
  INFO(above << " " << below << " " << rest);
  CHECK(above < 0.15 * 1000);
  CHECK(below < 0.15 * 1000);
  CHECK(rest < 0.2 * 1000);
}

TEST_CASE("many rows are wrapped into blocks, the first at the top left", "[page]") {
  const Drawn drawn = page_of(hall_run(80, 1600, 20), "blocks", 1600, 1000);
  const PlanLayout& plan = *drawn.page.plan;
  CHECK(plan.blocks.size() > 1);
  const auto place = [&](const std::string& rack) {
    const auto found = std::ranges::find(drawn.scene.boxes, rack, [](const SceneBox& shown) { return shown.box.name; });
    return plan.at(found->box);
  };
  CHECK(place("row_1.rack_1").top() > place("row_2.rack_1").top());
  CHECK(place("row_80.rack_1").left > place("row_1.rack_1").left);
  CHECK(place("row_1.rack_2").left > place("row_1.rack_1").left);
}

TEST_CASE("the page names the hottest rows, each loop's temperatures and all equipment", "[page]") {
  SyntheticRun run = site_run();
  run.hot_gpu = 64 * 57;  // row 3, rack 18
  std::string all;
  for (const Text& text : texts_of(page_of(run, "names", 1600, 1000).page.drawing)) all += text.text + "\n";
  for (const char* expected :
       {"5 and 3 more (45.0)", "framed: row 3, rack 18, hottest, 70.0 °C", "row 3 (70.0)",
        "loop 4: 25.0 out, 33.4 °C back", "CDU 1 to 12", "network rack 1 to 24", "tower 1 to 8", "chiller 1 to 5",
        "CRAH 1 to 8", "PDU a and b 1 to 20", "UPS a and b", "65 %", "transformer a and b", "generator a and b 1 to 6",
        "load, % of rated", "water and air, °C"})
    CHECK_THAT(all, Catch::Contains(expected));
}

TEST_CASE("the outdoor part of a page lies above the hall and holds all that stands outside", "[page]") {
  const Drawn drawn = page_of(site_run(), "outdoors", 1600, 1000, true);
  REQUIRE(drawn.page.outdoors);
  CHECK(drawn.page.outdoors->area.bottom >= drawn.page.camera->area.top() - 1e-9);
  for (const SceneBox& shown : drawn.scene.outdoors) {
    for (int corner = 0; corner < 8; ++corner) {
      const Point point = drawn.page.outdoors->project(corner_m(shown.box, corner));
      CHECK(point.x >= drawn.page.outdoors->area.left);
      CHECK(point.x <= drawn.page.outdoors->area.right());
      CHECK(point.y >= drawn.page.outdoors->area.bottom);
      CHECK(point.y <= drawn.page.outdoors->area.top());
    }
  }
  CHECK_FALSE(page_of(hall_run(8, 160, 4), "indoors", 1600, 1000, true).page.outdoors);
}

TEST_CASE("the time shown is that of the hottest die unless another is asked for", "[page]") {
  const auto file = write_run({.hot_s = 240.0}, "time");
  const twin::ResultsReader results(file);
  const Scene hottest = read_scene(results, {}, "time");
  CHECK(hottest.time_s == 240.0);
  CHECK(hottest.is_hottest_time);
  CHECK(hottest.title == "A run that never was");
  const Scene asked = read_scene(results, {.at_s = 100.0}, "time");
  CHECK(asked.time_s == 120.0);  // the nearest record of GPUs
  CHECK_FALSE(asked.is_hottest_time);
}

TEST_CASE("curves carry the recorded values in the units of their panels", "[page]") {
  const auto file = write_run({}, "curves");
  const Timeline timeline = read_timeline(twin::ResultsReader(file), {.shown_s = 300.0});
  REQUIRE(timeline.panels.size() == 2);
  CHECK(timeline.end_s == 600.0);
  CHECK(timeline.panels[0].title == "power, kW");
  CHECK(timeline.panels[0].curves[1].values[5] == Approx(55.0));
  REQUIRE(timeline.panels[1].curves[0].label == "hottest die");
  CHECK(timeline.panels[1].curves[0].values[20] == Approx(70.0).margin(1e-3));
  CHECK(timeline.panels[1].curves[0].values[19] == Approx(45.0).margin(1e-3));
  REQUIRE(timeline.event_lines.size() == 2);
  CHECK(timeline.event_lines[0].words == "CDU 1 failed");
}

TEST_CASE("the corners of a box are its eight, by right, back and top", "[page]") {
  const twin::LayoutBox box{"box", "rack", "", {10, 20, 30}, {2, 4, 6}};
  for (int corner = 0; corner < 8; ++corner) {
    INFO(corner);
    CHECK(corner_m(box, corner) ==
          Metres{(corner & 1) != 0 ? 11.0 : 9.0, (corner & 2) != 0 ? 22.0 : 18.0, (corner & 4) != 0 ? 33.0 : 27.0});
  }
}

TEST_CASE("a projection keeps parallels and lengths across the view", "[page]") {
  const std::vector<twin::LayoutBox> cube{{"cube", "rack", "", {0, 0, 0}, {2, 2, 2}}};
  const Camera front = fit_camera(cube, {0, -1, 0}, {100, 50, 400, 300}, {10, 20});
  CHECK(front.pixels_per_metre == Approx(130.0));  // 260 of 300 pixels for 2 m
  const Point corner = front.project({1, -1, 1});
  CHECK(corner.x == Approx(300.0 + 130.0));
  CHECK(corner.y == Approx(200.0 + 130.0));
  const Camera isometric = fit_camera(cube, {1, -1, 1}, {0, 0, 100, 100}, {});
  const Point origin = isometric.project({0, 0, 0}), up = isometric.project({0, 0, 1}),
              right = isometric.project({1, 0, 0});
  CHECK(up.y - origin.y == Approx(std::sqrt(2.0 / 3.0) * isometric.pixels_per_metre));
  CHECK(std::hypot(right.x - origin.x, right.y - origin.y) == Approx(up.y - origin.y));
}

TEST_CASE("numbers of racks and rows stand at even steps, each at its own rack or row", "[page]") {
  for (const auto& [rows, racks, width] : {std::tuple(8, 160, 1600), std::tuple(8, 160, 1000), std::tuple(2, 40, 1600),
                                           std::tuple(80, 1600, 1000), std::tuple(1, 12, 1600)}) {
    CAPTURE(rows, racks, width);
    const Drawn drawn = page_of(hall_run(rows, racks, 1), "steps", width, 1000);
    REQUIRE(drawn.page.plan);
    const PlanLayout& plan = *drawn.page.plan;
    const PlanBlock& first = plan.blocks.front();
    const Rectangle floor = plan.floor(first);
    const auto box_of = [&](const std::string& name) {
      return plan.at(
          std::ranges::find(drawn.scene.boxes, name, [](const SceneBox& shown) { return shown.box.name; })->box);
    };
    std::vector<int> of_racks, of_rows;
    for (const Text& text : texts_of(drawn.page.drawing)) {
      if (text.text.find_first_not_of("0123456789") != std::string::npos) continue;
      const int number = std::stoi(text.text);
      const bool is_above = text.align == Align::centre && text.at.y > floor.top() && text.at.y < floor.top() + 25.0 &&
                            text.at.x > floor.left && text.at.x < floor.right();
      const bool is_beside = text.align == Align::right && text.at.x < first.left && text.at.y < floor.top();
      if (is_above) {
        of_racks.push_back(number);
        CHECK(text.at.x == Approx(box_of("row_1.rack_" + text.text).middle_x()).margin(0.5));
      }
      if (is_beside) {
        of_rows.push_back(number);
        CHECK(text.at.y == Approx(box_of("row_" + text.text + ".rack_1").middle_y()).margin(0.5));
      }
    }
    CHECK(!of_racks.empty());
    CHECK(!of_rows.empty());
    for (std::vector<int>* numbers : {&of_racks, &of_rows}) {
      std::ranges::sort(*numbers);
      for (std::size_t k = 1; k < numbers->size(); ++k) CHECK((*numbers)[k] == int(k + 1) * numbers->front());
    }
  }
}
