// Racks coloured by jobs: each drawn colour against the rows of the file, the legend, and results without places.
#include "viz/hall/job_colours.hpp"

#include <algorithm>
#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/chart_reading.hpp"
#include "tests/views/synthetic_run.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/charts/timeline.hpp"
#include "viz/hall/item_course.hpp"
#include "viz/hall/shown_field.hpp"
#include "viz/pages/page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;

namespace {

// By hand, of docs and [okabe2008]: the largest job first.
constexpr Colour blue{0, 114, 178}, orange{230, 159, 0}, green{0, 158, 115}, grey{223, 227, 232};

/// Six racks of four nodes. Until 60 s: one job on racks 1 and 2 and half of rack 3, another on the other half and rack 4. Then a third on rack 6.
std::filesystem::path made_up() {
  static const TemporaryFolder folder;
  static const std::filesystem::path file = folder / "jobs.h5";
  if (std::filesystem::exists(file)) return file;
  constexpr double open_s = std::numeric_limits<double>::quiet_NaN();
  twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
  std::vector<twin::LayoutBox> layout;
  std::vector<std::string> names;
  for (int rack = 1; rack <= 6; ++rack) {
    names.push_back("row_1.rack_" + std::to_string(rack));
    layout.push_back({names.back(), "rack", "", {rack * 1.0, 0.0, 1.1}, {0.6, 1.2, 2.2}});
    for (int node = 1; node <= 4; ++node)
      layout.push_back({names.back() + ".node_" + std::to_string(node), "node", names.back(), {}, {0.5, 0.9, 0.2}});
  }
  writer.write_layout(layout);
  const auto racks = writer.add_table(
      {.group = "racks", .item_dimension = "rack", .items = names, .columns = {{"max_die_temperature", "K", "die"}}});
  for (const double time_s : {0.0, 60.0, 120.0}) writer.append(racks, time_s, std::vector(6, 330.0F));
  writer.write_jobs(std::vector<twin::JobOutcome>{{.name = "pretraining", .state = "running", .nodes = 10},
                                                  {.name = "tuning", .state = "done", .nodes = 6},
                                                  {.name = "evaluation", .state = "running", .nodes = 1}});
  writer.write_placements(std::vector<twin::JobPlace>{{0, 0, 4, 0.0, open_s},
                                                      {0, 1, 4, 0.0, open_s},
                                                      {0, 2, 2, 0.0, open_s},
                                                      {1, 2, 2, 0.0, 60.0},
                                                      {1, 3, 4, 0.0, 60.0},
                                                      {2, 5, 1, 60.0, open_s}});
  writer.finish();
  return file;
}

Scene scene_at(double time_s) {
  return read_scene(twin::ResultsReader(made_up()), {.at_s = time_s, .field = "job", .has_fixed_scales = true}, "x");
}

/// Colours of what is drawn inside of a rack of the plan, each with its share of the rack's area.
std::vector<std::pair<Colour, double>> drawn(const Scene& scene, const Page& page, const std::string& name) {
  const auto shown = std::ranges::find(scene.boxes, name, [](const SceneBox& one) { return one.box.name; });
  const Rectangle rack = page.plan->at(shown->box);
  std::vector<std::pair<Colour, double>> parts;
  for (const auto& shape : page.drawing.shapes) {
    const auto* polygon = std::get_if<Polygon>(&shape);
    if (polygon == nullptr) continue;
    const auto [left, right] = std::ranges::minmax(polygon->points, {}, &Point::x);
    const auto [low, high] = std::ranges::minmax(polygon->points, {}, &Point::y);
    constexpr double slack = 0.01;
    const bool is_inside = left.x > rack.left - slack && right.x < rack.right() + slack &&
                           low.y > rack.bottom - slack && high.y < rack.top() + slack;
    if (is_inside)
      parts.emplace_back(polygon->colour, (right.x - left.x) * (high.y - low.y) / (rack.width * rack.height));
  }
  return parts;
}

}  // namespace

TEST_CASE("each rack of a plan has the colours of its jobs by their nodes, and grey where it has none", "[job_field]") {
  const auto is = [](double time_s, const std::string& rack, const std::vector<std::pair<Colour, double>>& wanted) {
    const Scene scene = scene_at(time_s);
    const Page page = compose_page(scene, {}, 1600, 1000);
    REQUIRE(page.plan);
    const auto found = drawn(scene, page, rack);
    INFO(rack << " at " << time_s);
    REQUIRE(found.size() == wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      CHECK(found[k].first == wanted[k].first);
      CHECK(found[k].second == Approx(wanted[k].second).margin(1e-6));
    }
  };
  is(0.0, "row_1.rack_1", {{blue, 1.0}});
  is(0.0, "row_1.rack_2", {{blue, 1.0}});
  is(0.0, "row_1.rack_3", {{blue, 0.5}, {orange, 0.5}});
  is(0.0, "row_1.rack_4", {{orange, 1.0}});
  is(0.0, "row_1.rack_5", {{grey, 1.0}});
  is(60.0, "row_1.rack_3", {{blue, 0.5}, {grey, 0.5}});
  is(60.0, "row_1.rack_4", {{grey, 1.0}});
  is(60.0, "row_1.rack_6", {{green, 0.25}, {grey, 0.75}});
}

TEST_CASE("the legend of jobs has their names and nodes, each beside its colour, and above the scales", "[job_field]") {
  const Scene scene = scene_at(0.0);
  const Page page = compose_page(scene, {}, 1600, 1000);
  const std::vector<std::pair<std::string, Colour>> wanted{
      {"pretraining (10 nodes)", blue}, {"tuning (6 nodes)", orange}, {"without a job (8 nodes)", grey}};
  REQUIRE(scene.job_keys.size() == wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto texts = texts_in(page.drawing);
    const auto text = std::ranges::find(texts, wanted[k].first, &Text::text);
    REQUIRE(text != texts.end());
    const auto is_beside = [&](const auto& shape) {  // a swatch that ends left of the text, at its height
      const auto* swatch = std::get_if<Polygon>(&shape);
      if (swatch == nullptr || !(swatch->colour == wanted[k].second)) return false;
      const auto [left, right] = std::ranges::minmax(swatch->points, {}, &Point::x);
      const auto [low, high] = std::ranges::minmax(swatch->points, {}, &Point::y);
      return right.x < text->at.x && right.x > text->at.x - 1.5 * text->size && low.y < text->at.y &&
             high.y > text->at.y && high.y - low.y < 2.0 * text->size;
    };
    CHECK(std::ranges::count_if(page.drawing.shapes, is_beside) == 1);
    CHECK(text->at.y < page.plan->area.bottom);
  }
  CHECK(scene_at(60.0).job_keys.back().words == "without a job (13 nodes)");
}

TEST_CASE("the panel of jobs has their nodes over time in the same colours", "[job_field]") {
  const twin::ResultsReader results(made_up());
  const ShownField field = read_shown_field(results, "job", false);
  const Timeline timeline = read_timeline(results, {.shown_s = 0.0, .field = field});
  const auto panel = std::ranges::find(timeline.panels, "nodes by job", &Panel::title);
  REQUIRE(panel != timeline.panels.end());
  REQUIRE(panel->curves.size() == 3);
  CHECK((panel->curves[0].label == "pretraining" && panel->curves[0].colour == blue));
  CHECK(panel->curves[0].values == std::vector<double>{10, 10, 10});
  CHECK((panel->curves[1].label == "tuning" && panel->curves[1].colour == orange));
  CHECK(panel->curves[1].values == std::vector<double>{6, 0, 0});
  CHECK(panel->curves[2].label == "all other jobs");
  CHECK(panel->curves[2].values == std::vector<double>{0, 1, 1});
  CHECK(!worst_time_of(results, field));
  CHECK_THAT(fields_text(results), Contains("job "));
  CHECK_THROWS_WITH(read_shown_field(results, "jbo", false), Contains("did you mean 'job'?"));
}

TEST_CASE("results without places of jobs say so where jobs are asked for", "[job_field]") {
  const twin::ResultsReader results(write_run({.counts = whole_site(), .has_gpus = false}, "no_jobs"));
  CHECK_THROWS_WITH(read_shown_field(results, "job", false),
                    Contains("where jobs of a queue (`jobs:`) had their nodes"));
  CHECK_THAT(fields_text(results), !Contains("job "));
  CHECK_THROWS_WITH(read_shown_field(results, "jbo", false), !Contains("did you mean 'job'?"));
}
