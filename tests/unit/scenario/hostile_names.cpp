// Whatever a name is, other programs read it as one value, and execute nothing: every writer beside a reader of its language.
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "core/text/code_point.hpp"
#include "core/text/problem.hpp"
#include "core/text/quoted_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/hostile_names.hpp"
#include "tests/support/run_program.hpp"
#include "twin/clusters/slurm_script.hpp"
#include "twin/document/yaml_text.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/charts/heat_map.hpp"
#include "twin/drawings/charts/live_charts.hpp"
#include "twin/drawings/charts/sankey.hpp"
#include "twin/drawings/charts/series_chart.hpp"
#include "twin/drawings/charts/swim_lanes.hpp"
#include "twin/drawings/diagrams/box_diagram.hpp"
#include "twin/imports/hall_text.hpp"
#include "twin/report/study/study_page.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::twin;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

Outcome read_by_others(const TemporaryFolder& folder) {
  return Process("/usr/bin/python3", {WATTLOOP_SOURCE_DIR "/tests/support/read_hostile.py", folder.path().string()},
                 folder.path())
      .wait();
}

Outcome shell(const TemporaryFolder& folder, const std::string& line) {
  return Process("/bin/sh", {"-c", line}, folder.path()).wait();
}

bool is_utf8(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint one = code_point_at(text, i);
    if (one.value == no_character) return false;
    i += one.bytes;
  }
  return true;
}

std::string stub(const char* words) { return fmt::format("#!/bin/sh\n{}\n", words); }

}  // namespace

TEST_CASE("hostile names are one value each in every language that is written", "[hostile]") {
  const TemporaryFolder folder;
  const Names names = hostile_names();
  write_names(folder / "names", names);
  std::string script, python = "names = []\n", json, xml = "<r>", yaml;
  for (const std::string& name : names) {
    script += fmt::format("# {}\nprintf '%s\\0' {}\n", comment_text(name), shell_text(name));
    python += fmt::format("# {}\nnames.append({})\n", comment_text(name), python_text(name));
    json += script_text(name) + "\n";
    xml += fmt::format("<i a=\"{0}\">{0}</i>", page_text(name));
    yaml += fmt::format("- {}  # {}\n", yaml_text(name), comment_text(name));
  }
  write(folder / "words.sh", script);
  write(folder / "list.py", python);
  write(folder / "list.json", json);
  write(folder / "list.xml", xml + "</r>");
  write(folder / "list.html", "<!DOCTYPE html><html><body>" + xml.substr(3) + "</body></html>");
  write(folder / "list.yaml", yaml);
  const Outcome read = read_by_others(folder);
  CHECK(read.output == "read .html .json .py .sh .xml .yaml\n");
  CHECK(read.errors.empty());
  for (const char* program : {"sh", "bash"}) {
    const Outcome words = shell(folder, fmt::format("{0} -n words.sh && {0} words.sh | cmp - names", program));
    CHECK(words.output + words.errors == "");
    CHECK(words.exit_code == 0);
  }
  CHECK_FALSE(fs::exists(folder / "owned"));
}

TEST_CASE("hostile names are read back by Wattloop's own YAML", "[hostile]") {
  for (const std::string& name : hostile_names()) {
    if (!is_utf8(name)) continue;
    Problems problems;
    const Node root =
        parse_yaml(fmt::format("title: {}  # {}\n", yaml_text(name), comment_text(name)), "a.yaml", problems);
    INFO(name);
    REQUIRE(problems.size() == 0);
    REQUIRE(root.entries.at(0).value.text == name);
    REQUIRE(parse_yaml(document_text(root), "b.yaml", problems).entries.at(0).value.text.size() + 4 > name.size());
  }
}

TEST_CASE("scripts of Slurm hold hostile names and execute none", "[hostile][clusters]") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "bin");
  write(folder / "bin" / "sbatch",
        stub("for last do :; done\nprintf '%s\\0' \"$last\" >> \"$WATTLOOP_WORDS\"\necho 7"));
  write(folder / "program", stub("for word do printf '%s\\0' \"$word\"; done >> \"$WATTLOOP_WORDS\""));
  fs::permissions(folder / "bin" / "sbatch", fs::perms::owner_all);
  fs::permissions(folder / "program", fs::perms::owner_all);
  Names expected;
  const std::string begin = "export PATH=\"$PWD/bin:$PATH\" WATTLOOP_WORDS=\"$PWD/words\" SLURM_ARRAY_TASK_ID=1\n";
  constexpr std::size_t names_of_a_shell = 1000;  // which then ends long before it is taken for one that hangs
  std::vector<std::string> all;
  std::size_t number = 0;
  for (const std::string& name : hostile_names()) {
    if (name.size() > 3000) continue;  // of a whole line of text
    const SlurmScripts scripts = slurm_scripts({.title = name,
                                                .program = folder / "program",
                                                .study = "/" + name,
                                                .folder = "/out/" + name,
                                                .overrides = {"--set", name},
                                                .runs = 1,
                                                .run_s = 1.0});
    if (number++ % names_of_a_shell == 0) all.push_back(begin);
    write(folder / fmt::format("{}.array.sh", number).c_str(), is_sbatch_text("/out/" + name) ? scripts.array : "");
    write(folder / fmt::format("{}.submit.sh", number).c_str(), scripts.submit);
    all.back() += fmt::format("sh {0}.submit.sh >> told && sh {0}.array.sh || exit 3\n", number);
    const fs::path out = fs::path("/out/" + name);
    expected.push_back((out / "study_array.sbatch").string());
    expected.push_back((out / "study_collect.sbatch").string());
    if (!is_sbatch_text("/out/" + name)) continue;
    for (const std::string& word : Names{"study", "/" + name, "-o", out.string(), "--shard", "1/1", "--threads", "1",
                                         "--alone", "--quiet", "--set", name})
      expected.push_back(word);
  }
  for (const std::string& lines : all) {
    write(folder / "all.sh", lines);
    const Outcome outcome = shell(folder, "sh all.sh");
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.output + outcome.errors == "");
  }
  write_names(folder / "expected", expected);
  CHECK(file_text(folder / "words") == file_text(folder / "expected"));
  CHECK_FALSE(fs::exists(folder / "owned"));
}

TEST_CASE("pictures and pages keep their markup with hostile names", "[hostile][drawings]") {
  const TemporaryFolder folder;
  const Names names = hostile_names();
  write_names(folder / "names", names);
  std::vector<DiagramBox> boxes;
  Sankey sankey{.unit = "W"};
  std::vector<Lane> lanes;
  std::vector<LayoutBox> layout;
  StudyTable table{.title = names.back(), .columns = {{names[3], names[4], names[5], TableColumn::Kind::text, true}}};
  for (const std::string& name : names) {
    boxes.push_back({.title = name, .lines = {name}});
    sankey.nodes.push_back({.title = name, .colour = "#d55e00", .column = sankey.nodes.empty() ? 0U : 1U});
    if (sankey.nodes.size() > 1) sankey.flows.push_back({0, sankey.nodes.size() - 1, 1.0});
    lanes.push_back({.title = name, .spans = {{0.0, 10.0, LaneState::failed, name}}});
    layout.push_back({.name = name,
                      .kind = "rack",
                      .centre_m = {1.0 * static_cast<double>(layout.size()), 0, 0},
                      .size_m = {1, 1, 2}});
    table.rows.push_back({.run = table.rows.size() + 1, .cells = {name}, .message = name});
  }
  table.runs = table.rows.size();
  const std::vector<double> times_s{0.0, 10.0};
  const std::vector<float> temperatures_k(names.size(), 330.0F), over_time_k(2 * names.size(), 330.0F);
  write(folder / "boxes.svg", box_diagram(boxes, {}));
  write(folder / "sankey.svg", sankey_diagram(sankey));
  write(folder / "lanes.svg", swim_lanes(lanes, 0.0, 10.0));
  write(folder / "plan.svg", hall_plan(layout, names, temperatures_k));
  std::string charts;
  LiveCharts live(10.0);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::vector<ChartLine> lines{{.name = names[k], .values = {1.0F, 2.0F}}};
    charts += series_chart(names[k], "W", times_s, lines) + live.add(names[k], "W", times_s, lines);
  }
  const std::vector<ChartMark> marks{{5.0, names[40]}, {6.0, names[41]}};
  write(folder / "charts.page", charts + live.script(marks) + heat_map(times_s, names, over_time_k));
  write(folder / "study.page", study_page(table, names[7]));
  for (const char* file : {"boxes.svg", "sankey.svg", "lanes.svg", "plan.svg"})
    CHECK(file_text(folder / file).size() > 1000 * 10);
  const Outcome read = read_by_others(folder);
  CHECK(read.output == "read .page .svg\n");
  CHECK(read.errors.empty());
}

TEST_CASE("an imported hall with hostile names is the hall it is without them", "[hostile][import]") {
  const TemporaryFolder folder;
  const Names names = hostile_names();
  write_names(folder / "names", names);
  for (std::size_t k = 0; k + 1 < names.size(); k += 2) {
    ImportedHall hall;
    hall.redundancy = "single";
    hall.notes = {names[k]};
    hall.groups.push_back(
        {.name = "group_1", .hardware = "dgx_h100", .loop = "", .nodes = 4, .blocks = {"a"}, .rows = {1}, .racks = {}});
    hall.groups[0].racks.push_back(
        {.listed = {.name = names[k], .row = names[k + 1]}, .name = "row_1.rack_1", .pdus = {"pdu_a_1"}});
    hall.blocks.push_back(
        {.name = "a", .root = names[k + 1], .transformers = {.kind = "transformer", .hardware = "t", .count = 1}});
    const std::string text = hall_text(hall, names[k]);
    Problems problems;
    const Node root = parse_yaml(text, "a.yaml", problems);
    REQUIRE(problems.size() == 0);
    REQUIRE(find(root, "power") != nullptr);
    if (k % 40 == 0) write(folder / fmt::format("{}.hall", k).c_str(), text);
  }
  CHECK(read_by_others(folder).output == "read .hall\n");
}

TEST_CASE("a file in a line to copy is one word of a shell", "[hostile]") {
  CHECK(shell_file("results/one_rack.h5") == "results/one_rack.h5");
  CHECK(shell_file("my hall.h5") == "'my hall.h5'");
  CHECK(shell_file("-o") == "./-o");
  CHECK(shell_file("$(touch owned)'\n") == "'$(touch owned)'\\''\\n'");
  CHECK(shell_file("") == "''");
  CHECK(shell_file("~a") == "'~a'");
}

TEST_CASE("what begins at a byte is a character of UTF-8, or none", "[hostile]") {
  CHECK(code_point_at("é", 0).value == 0xE9);
  CHECK(code_point_at("\xf0\x9f\x98\x80", 0).value == 0x1F600);
  CHECK(code_point_at("\xf0\x9f\x98\x80", 0).bytes == 4);
  for (const char* none : {"\xff", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                           "\xf4\x90\x80\x80", "\xc3", "\xe2\x80"})
    CHECK(code_point_at(none, 0).value == no_character);
}
