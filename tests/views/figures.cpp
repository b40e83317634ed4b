// The numbers that a page writes out, and the colours it gives, against those of the file at the time shown.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/chart_reading.hpp"
#include "tests/views/telling_run.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/pages/page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

constexpr double at_s = 1200.0;  // all groups have a record there

struct Drawn {
  ReportingRun run;
  Scene scene;
  Page page;
  double reported_at(const std::string& group, const std::string& column, std::size_t item = 0) const {
    return reported(run, group, column, item, at_s);
  }
};

Drawn page_of(const ReportingRun& run, const std::string& name, const std::string& field = "die_temperature",
              bool is_isometric = false) {
  const auto file = write_reporting_run(run, name);
  const twin::ResultsReader results(file);
  Scene scene = read_scene(results, {.at_s = at_s, .field = field, .is_isometric = is_isometric}, file.string());
  Page page = compose_page(scene, read_timeline(results, {.shown_s = scene.time_s}), 1600, 1000);
  return {run, std::move(scene), std::move(page)};
}

ReportingRun site() { return {.counts = reporting_site()}; }

ReportingRun rack() { return {.counts = {.rows = 1, .racks = 2, .loops = 1, .cdus_per_loop = 2}, .has_gpus = true}; }

/// The text in bold over a caption: both end at the same pixel.
std::string figure_over(const Drawing& drawing, const std::string& caption) {
  std::string value;
  int found = 0;
  for (const Text& below : texts_in(drawing)) {
    if (below.text != caption) continue;
    for (const Text& above : texts_in(drawing)) {
      if (!above.is_bold || above.at.x != below.at.x || above.at.y < below.at.y) continue;
      value = above.text;
      ++found;
    }
  }
  CHECK(found == 1);
  return value;
}

std::string all_text(const Drawing& drawing) {
  std::string all;
  for (const Text& text : texts_in(drawing)) all += text.text + "\n";
  return all;
}

const SceneBox* box_named(const Scene& scene, const std::string& name) {
  for (const std::vector<SceneBox>* boxes : {&scene.boxes, &scene.outdoors})
    for (const SceneBox& shown : *boxes)
      if (shown.box.name == name) return &shown;
  return nullptr;
}

/// What colours equipment: kind, group, column.
struct ShownFigure {
  std::string kind, group, column;
};

const std::vector<ShownFigure> shown_columns{{"cdu", "cdus", "supply_temperature"},
                                             {"tower", "towers", "leaving_temperature"},
                                             {"chiller", "chillers", "supply_temperature"},
                                             {"crah", "crahs", "return_temperature"},
                                             {"network_rack", "network", "outlet_air_temperature"},
                                             {"ups", "ups", "loading"},
                                             {"substation", "feeders", "loading"},
                                             {"transformer", "feeders", "loading"},
                                             {"pdu", "feeders", "loading"},
                                             {"generator", "generators", "loading"}};

}  // namespace

TEST_CASE("the figures above the page are those of the file at the time shown, each over its name", "[figures]") {
  const double power_scale = GENERATE(1.0, 1000.0);
  ReportingRun run = site();
  run.power_scale = power_scale;
  const Drawn drawn = page_of(run, "figures");
  REQUIRE(drawn.scene.time_s == at_s);
  const auto power = [&](const char* column) {
    const double power_w = drawn.reported_at("facility", column);
    return power_w >= 1e6 ? fmt::format("{:.2f} MW", power_w / 1e6) : fmt::format("{:.1f} kW", power_w / 1e3);
  };
  const auto celsius = [&](const char* column) {
    return fmt::format("{:.1f} °C", drawn.reported_at("facility", column) - 273.15);
  };
  const std::map<std::string, std::string> expected{
      {"IT power", power("it_power")},
      {"facility power", power("power")},
      {"PUE at this time", fmt::format("{:.3f}", drawn.reported_at("facility", "pue"))},
      {"hottest die", celsius("max_die_temperature")},
      {"mean die", celsius("mean_die_temperature")},
      {"GPUs throttled", fmt::format("{:.0f}", drawn.reported_at("facility", "throttled_gpus"))}};
  CHECK(drawn.scene.key_figures.size() == expected.size());
  for (const auto& [caption, value] : expected) {
    INFO(caption);
    CHECK(figure_over(drawn.page.drawing, caption) == value);
  }
  CHECK_THAT(all_text(drawn.page.drawing), Catch::Contains("20 min after the start\n"));
  CHECK_THAT(all_text(drawn.page.drawing), Catch::Contains("A run that tells\n"));
}

TEST_CASE("the figures say how many GPUs are off, and why there is no PUE", "[figures]") {
  ReportingRun run = site();
  run.off_gpus = 320.0;
  run.is_on_battery = true;
  const Drawn drawn = page_of(run, "meaningless");
  CHECK(figure_over(drawn.page.drawing, "PUE on battery") == "n/a");
  CHECK(figure_over(drawn.page.drawing, "GPUs throttled") ==
        fmt::format("{:.0f}", drawn.reported_at("facility", "throttled_gpus")));
  CHECK(figure_over(drawn.page.drawing, "GPUs down") == "320");
  CHECK_THAT(all_text(drawn.page.drawing), !Catch::Contains("PUE at this time"));
}

TEST_CASE("without a facility the hottest die is that of the hottest rack, the mean that of all", "[figures]") {
  const TemporaryFolder folder;
  twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const twin::HallCounts counts{.rows = 1, .racks = 3, .loops = 1, .cdus_per_loop = 1};
  twin::TableSpec table{.group = "racks", .item_dimension = "rack"};
  for (int rack = 0; rack < 3; ++rack) table.items.push_back(twin::rack_name(counts, rack));
  table.columns = {{"max_die_temperature", "K", "d"}, {"mean_die_temperature", "K", "m"}, {"throttled_gpus", "1", "t"}};
  writer.append(writer.add_table(table), 0.0,
                std::vector<float>{320.15F, 341.15F, 330.15F, 310.15F, 313.15F, 325.15F, 2.0F, 5.0F, 11.0F});
  writer.write_layout(twin::hall_layout(counts));
  writer.finish();
  const Scene scene = read_scene(twin::ResultsReader(folder / "x.h5"), {.at_s = 0.0}, "x");
  const auto figure = [&](const std::string& caption) {
    const auto found = std::ranges::find(scene.key_figures, caption, &KeyFigure::caption);
    return found == scene.key_figures.end() ? std::string("none") : found->value;
  };
  CHECK(figure("hottest die") == "68.0 °C");
  CHECK(figure("mean die") == "43.0 °C");
  CHECK(figure("GPUs throttled") == "18");
}

TEST_CASE("racks, GPUs, pipes and equipment have the values of their names at the time shown", "[figures]") {
  const Drawn drawn = page_of(site(), "values");
  std::map<std::string, int> seen;
  for (const twin::LayoutBox& box : twin::hall_layout(reporting_site())) {
    const auto shown = std::find_if(shown_columns.begin(), shown_columns.end(),
                                    [&](const ShownFigure& each) { return each.kind == box.kind; });
    const SceneBox* drawn_box = box_named(drawn.scene, box.name);
    if (box.kind == "node" || box.kind == "gpu" || box.kind == "rear_door") continue;
    INFO(box.name);
    REQUIRE(drawn_box != nullptr);
    ++seen[box.kind];
    double expected = 0.0;
    ScaleOf scale = ScaleOf::coolant;
    if (box.kind == "rack") {
      expected = drawn.reported_at("racks", "max_die_temperature", item_of(drawn.run, "racks", box.name)) - 273.15;
      scale = ScaleOf::parts;
    } else if (box.kind == "supply_pipe" || box.kind == "return_pipe") {
      const char* column = box.kind == "supply_pipe" ? "supply_temperature" : "return_temperature";
      expected = drawn.reported_at("loops", column, item_of(drawn.run, "loops", box.parent)) - 273.15;
    } else {
      REQUIRE(shown != shown_columns.end());
      const bool is_load = shown->column == "loading";
      const double reported =
          drawn.reported_at(shown->group, shown->column, item_of(drawn.run, shown->group, box.name));
      expected = is_load ? 100.0 * reported : reported - 273.15;
      if (is_load) scale = ScaleOf::load;
    }
    CHECK(drawn_box->value == Approx(expected).margin(1e-3));
    CHECK(drawn_box->scale == scale);
  }
  CHECK(seen.size() == shown_columns.size() + 3);
  const Drawn gpus = page_of(rack(), "gpus");
  std::size_t gpu = 0;
  for (const SceneBox& shown : gpus.scene.boxes) {
    if (shown.box.kind != "gpu") continue;
    CHECK(shown.value == Approx(gpus.reported_at("gpus", "die_temperature", gpu++) - 273.15).margin(1e-3));
  }
  CHECK(gpu == 128);
}

TEST_CASE("the field power shows power, in watts of GPUs and kilowatts of racks", "[figures]") {
  const Drawn racks = page_of(site(), "rack_power", "power"), gpus = page_of(rack(), "gpu_power", "power");
  CHECK(box_named(racks.scene, "row_2.rack_3")->value ==
        Approx(racks.reported_at("racks", "it_power", 6) / 1e3).epsilon(1e-6));
  CHECK(racks.scene.parts.title == "rack power, kW");
  CHECK(box_named(gpus.scene, "row_1.rack_1.node_2.gpu_3")->value ==
        Approx(gpus.reported_at("gpus", "power", 10)).epsilon(1e-6));
  CHECK(gpus.scene.parts.title == "GPU power, W");
}

TEST_CASE("labels carry the numbers of what they name", "[figures]") {
  const Drawn drawn = page_of(site(), "labels");
  const std::string all = all_text(drawn.page.drawing);
  const auto celsius = [](double kelvin) { return fmt::format("{:.1f}", kelvin - 273.15); };
  for (std::size_t loop = 0; loop < 2; ++loop)
    CHECK_THAT(all, Catch::Contains(celsius(drawn.reported_at("loops", "supply_temperature", loop)) + " out, " +
                                    celsius(drawn.reported_at("loops", "return_temperature", loop)) + " °C back\n"));
  const std::string hottest = celsius(drawn.reported_at("racks", "max_die_temperature", 7));
  const std::string other = celsius(drawn.reported_at("racks", "max_die_temperature", 3));
  CHECK_THAT(all, Catch::Contains("framed: row 2, rack 4, hottest, " + hottest + " °C; by row: row 2 (" + hottest +
                                  "), row 1 (" + other + ")\n"));
  CHECK_THAT(all, Catch::Contains("tower 1 to 3: " + celsius(drawn.reported_at("towers", "leaving_temperature", 0)) +
                                  " to " + celsius(drawn.reported_at("towers", "leaving_temperature", 2)) + " °C\n"));
  const Drawn detailed = page_of(rack(), "detailed_labels");
  const std::string text = all_text(detailed.page.drawing);
  CHECK_THAT(text, Catch::Contains("coolant supply\n" + celsius(detailed.reported_at("loops", "supply_temperature"))));
  CHECK_THAT(text, Catch::Contains("coolant return\n" + celsius(detailed.reported_at("loops", "return_temperature"))));
  CHECK_THAT(text, Catch::Contains("node 8, GPU 8\nhottest, " +
                                   celsius(detailed.reported_at("gpus", "die_temperature", 127)) + " °C\n"));
}

TEST_CASE("labels of a hall in space carry the numbers of what they name", "[figures]") {
  const Drawn drawn = page_of(site(), "isometric_labels", "die_temperature", true);
  const std::string all = all_text(drawn.page.drawing);
  const auto celsius = [](double kelvin) { return fmt::format("{:.1f}", kelvin - 273.15); };
  for (std::size_t loop = 0; loop < 2; ++loop)
    CHECK_THAT(all, Catch::Contains(celsius(drawn.reported_at("loops", "supply_temperature", loop)) + " out, " +
                                    celsius(drawn.reported_at("loops", "return_temperature", loop)) + " °C back\n"));
  CHECK_THAT(all, Catch::Contains("row 2, rack 4\n"));
  CHECK_THAT(all,
             Catch::Contains("hottest, " + celsius(drawn.reported_at("racks", "max_die_temperature", 7)) + " °C\n"));
  CHECK_THAT(all,
             Catch::Contains("row 1: max " + celsius(drawn.reported_at("racks", "max_die_temperature", 3)) + " °C\n"));
}

TEST_CASE("a colour bar has at each of its numbers the colour that this value has in the hall", "[figures]") {
  const Drawn drawn = page_of(site(), "bars");
  const std::vector<std::pair<std::string, const ColourScale*>> bars{
      {"hottest die of each rack, °C", &drawn.scene.parts},
      {"water and air, °C", &drawn.scene.coolant},
      {"load, % of rated", &drawn.scene.load}};
  const std::vector<Text> texts = texts_in(drawn.page.drawing);
  for (const auto& [title, scale] : bars) {
    INFO(title);
    const auto name = std::find_if(texts.begin(), texts.end(), [&](const Text& text) { return text.text == title; });
    REQUIRE(name != texts.end());
    std::vector<Polygon> steps;  // of the bar: below its title, from the same pixel on
    double right = 0.0;
    for (const auto& shape : drawn.page.drawing.shapes) {
      const auto* polygon = std::get_if<Polygon>(&shape);
      const bool is_below = polygon != nullptr && polygon->points[2].y < name->at.y &&
                            polygon->points[2].y > name->at.y - 40.0 && polygon->points[0].x > name->at.x - 0.5;
      if (!is_below || (!steps.empty() && polygon->points[0].x > right + 2.0)) continue;
      steps.push_back(*polygon);
      right = polygon->points[2].x;
    }
    REQUIRE(steps.size() == 64);
    int ticks = 0;
    for (const Text& tick : texts) {
      const bool is_tick = tick.at.y < steps[0].points[0].y && tick.at.x > name->at.x - 1.0 &&
                           tick.at.x < right + 1.0 && tick.align == Align::centre;
      if (!is_tick) continue;
      ++ticks;
      const double value = std::stod(tick.text);
      const double share = std::clamp((value - scale->low) / (scale->high - scale->low), 0.0, 1.0);
      const std::size_t step = std::min<std::size_t>(std::size_t(share * 64), 63);
      CHECK(tick.at.x == Approx(name->at.x + share * (right - 0.5 - name->at.x)).margin(0.6));
      const Colour here = steps[step].colour, expected = scale->at(value);
      CHECK(std::abs(here.red - expected.red) + std::abs(here.green - expected.green) +
                std::abs(here.blue - expected.blue) <
            30);
    }
    CHECK(ticks >= 3);
    const std::vector<SceneBox> inside = drawn.scene.boxes;
    for (const SceneBox& shown : inside)
      if (shown.has_value() && &drawn.scene.scale_of(shown) == scale) {
        CHECK(shown.value >= scale->low - 1e-2);
        CHECK(shown.value <= scale->high + 1e-2);
      }
  }
}
