// No title, label or legend of a picture is cut before its number: a made-up hall with names and sentences that are too long, on small pages.
#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/cut_numbers.hpp"
#include "tests/views/synthetic_run.hpp"
#include "viz/drawing/page_words.hpp"
#include "viz/hall/equipment_lines.hpp"
#include "viz/pages/page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

/// Texts that a page has, whole or cut.
struct Whole {
  std::string title =
      "SLOWED: a hall with racks of three makers loses one of its two chillers at a supply of 27.5 degC";
  std::string wrong =
      "row 3, rack 18: servers are hotter than their maker allows, and the air in front of them is at 38.25 °C";
  std::string event = "servers are hotter than their maker allows, and the air before row 3, rack 18 is at 38.25 °C";
  std::string scale = "margin, K, to inlet air of the servers as their maker allows it 35.5 °C";
};

std::vector<std::string> texts_of(const Drawing& drawing) {
  std::vector<std::string> texts;
  for (const auto& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(text->text);
  return texts;
}

/// Whether a text of the page is that, whole or cut at a place that leaves its last number.
bool is_said(const std::vector<std::string>& texts, const std::string& whole) {
  return std::ranges::any_of(texts, [&](const std::string& text) {
    return text.starts_with(whole.substr(0, 7)) && wrong_of_cut(whole, text).empty();
  });
}

}  // namespace

TEST_CASE("no title, label or legend of a small picture is cut before its number, and planted cuts are noticed",
          "[cut_texts]") {
  SyntheticRun run{.counts = whole_site(), .duration_s = 300.0, .has_gpus = false};
  const auto file = write_run(run, "cut_texts");
  const twin::ResultsReader results(file);
  Scene scene = read_scene(results, {}, file.string());
  const Whole whole;
  scene.title = whole.title;
  scene.wrong = {whole.wrong};
  scene.parts.title = whole.scale;
  for (std::vector<SceneBox>* boxes : {&scene.boxes, &scene.outdoors})
    for (SceneBox& shown : *boxes)
      if (shown.box.kind == "tower") shown.box.name = "cooling_tower_of_the_eastern_yard_" + shown.box.name;
  Timeline timeline = read_timeline(results, {.shown_s = scene.time_s});
  timeline.event_lines = {{100.0, 100.0, 1, whole.event, twin::Weight::cause}};
  std::string towers;
  for (const EquipmentLine& line : equipment_lines(scene))
    if (line.name.starts_with("cooling tower")) towers = line.name + ": " + line.values;
  REQUIRE(numbers_of(towers).size() > 2);
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1000, 625}, {800, 500}}) {
    CAPTURE(width);
    std::vector<std::string> texts = texts_of(compose_page(scene, timeline, width, height).drawing);
    for (const std::string& text : {whole.title, whole.wrong, whole.scale, towers}) {
      INFO(text);
      CHECK(is_said(texts, text));
      for (std::string& drawn : texts)  // planted: cut within its last number
        if (drawn.starts_with(text.substr(0, 7))) drawn = drawn.substr(0, drawn.find_last_of("0123456789") - 1) + "...";
      CHECK_FALSE(is_said(texts, text));
    }
    const auto begin =
        std::ranges::find_if(texts, [](const std::string& text) { return text.starts_with("1 min 40 s"); });
    REQUIRE(begin != texts.end());
    const std::string line = *begin + " " + *(begin + 1);  // it goes on in the next
    CHECK((wrong_of_cut("1 min 40 s: " + whole.event, *begin).empty() ||
           wrong_of_cut("1 min 40 s: " + whole.event, line).empty()));
  }
}

TEST_CASE("a list that is too long has its first items and says how many more there are", "[cut_texts]") {
  const Text text{{}, {}, 16.0, ink::text};
  const std::vector<std::string> items{"utility feed a is open", "CDU 4, pump a and b failed", "1280 GPUs throttled"};
  const double all = text_width(fitted_list(items, text, 1e6, Rest::counted));
  CHECK(fitted_list(items, text, 1e6, Rest::counted).text ==
        "utility feed a is open; CDU 4, pump a and b failed; 1280 GPUs throttled");
  const Text smaller = fitted_list(items, text, 0.75 * all, Rest::counted);
  CHECK((smaller.text.ends_with("1280 GPUs throttled") && smaller.size < 16.0 && text_width(smaller) <= 0.76 * all));
  CHECK(fitted_list(items, text, 0.65 * all, Rest::counted).text ==
        "utility feed a is open; CDU 4, pump a and b failed; and 1 more");
  CHECK(fitted_list(items, text, 0.35 * all, Rest::counted).text == "utility feed a is open; and 2 more");
  CHECK(fitted_list(items, text, 0.35 * all, Rest::left_out).text == "utility feed a is open");
}
