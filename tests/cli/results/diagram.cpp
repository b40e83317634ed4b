// `wattloop diagram`: each picture of a report as a file that stands alone, and what is said where it cannot be drawn.
#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

void run_in(const WorkFolder& folder) {
  const Outcome run = folder.run({"run", one_rack, "-q", "-o", "x.h5", "--set", "duration=5 min", "--set",
                                  "record={facility: 1 s, racks: 5 s}", "--event", "at: 2 min, fail: cdu_1.pump_a"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
}

}  // namespace

TEST_CASE("every diagram is an SVG file of its own, on white, with what it is about in it", "[cli][diagram]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_in(folder);
  for (const auto& [kind, said] : {std::pair{"one-line", "UPS a"},
                                   {"cooling", "loop 1"},
                                   {"power", "IT power"},
                                   {"states", "CDU 1, pump a"},
                                   {"load-duration", "share of time"},
                                   {"swings", "frequency, Hz"}}) {
    INFO(kind);
    const Outcome drawn = folder.run({"diagram", kind, "x.h5"});
    INFO(drawn.errors);
    REQUIRE(drawn.exit_code == 0);
    const std::string name = std::string("x_") + kind + ".svg", svg = file_text(folder / name.c_str());
    CHECK_THAT(drawn.output, Contains(name));
    CHECK(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK_THAT(svg, Contains(said) && Contains("fill='#fff'/>"));
    CHECK(folder.run({"diagram", kind, "x.h5"}).exit_code == 0);  // a picture gives way to another
  }
}

TEST_CASE("a diagram of a moment takes times and events", "[cli][diagram]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_in(folder);
  CHECK_THAT(folder.run({"diagram", "cooling", "x.h5", "--at", "fail"}).output,
             Contains(" at 2 min, when this happens first: fail"));
  const std::string after = file_text(folder / "x_cooling.svg");
  CHECK_THAT(folder.run({"diagram", "cooling", "x.h5", "--at", "1 min"}).output, Contains(" at 1 min\n"));
  CHECK(file_text(folder / "x_cooling.svg") != after);
  const Outcome unknown = folder.run({"diagram", "cooling", "x.h5", "--at", "fial"});
  CHECK(unknown.exit_code == 1);
  CHECK_THAT(unknown.errors, Contains("no event 'fial'") && Contains("did you mean fail?"));
}

TEST_CASE("what cannot be drawn is reported, and nothing is overwritten that is no picture", "[cli][diagram]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_in(folder);
  const Outcome still = folder.run({"diagram", "outside-air", "x.h5"});
  CHECK(still.exit_code == 4);
  CHECK_THAT(still.errors, Contains("cannot draw 'outside-air' of x.h5: it needs weather that changes"));
  CHECK(folder.run({"diagram", "one_line", "x.h5"}).exit_code == 1);
  CHECK_THAT(folder.run({"diagram", "power", "x.h5", "-o", "x.pdf"}).errors, Contains("is no SVG and no PNG file"));
  folder.write("mine.svg", "my notes\n");
  CHECK(folder.run({"diagram", "power", "x.h5", "-o", "mine.svg"}).exit_code == 1);
  CHECK(file_text(folder / "mine.svg") == "my notes\n");
  CHECK(folder.run({"diagram", "power", "x.h5", "-o", "mine.svg", "--force"}).exit_code == 0);
  CHECK(folder.run({"diagram", "power", "none.h5"}).exit_code == 4);
}

TEST_CASE("a PNG is drawn by librsvg, and its absence is reported", "[cli][diagram]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_in(folder);
  const Outcome absent = folder.run_shell("PATH=/nowhere $wattloop diagram states x.h5 -o x.png");
  CHECK(absent.exit_code == 4);
  CHECK_THAT(absent.errors, Contains("librsvg2-bin"));
  CHECK_FALSE(fs::exists(folder / "x.png"));
  if (folder.run_shell("command -v rsvg-convert").exit_code != 0) return skip("rsvg-convert is not installed");
  const Outcome drawn = folder.run({"diagram", "states", "x.h5", "-o", "x.png"});
  INFO(drawn.errors);
  REQUIRE(drawn.exit_code == 0);
  const std::string png = file_text(folder / "x.png");
  CHECK(png.starts_with("\x89PNG"));
  const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(png.at(k))); };
  CHECK((byte(18) << 8U | byte(19)) == 1600U);  // of its head: width
  for (const auto& entry : fs::directory_iterator(folder.path()))
    CHECK(entry.path().string().find("partial") == std::string::npos);
}

TEST_CASE("two columns of a study are a picture, and options of other kinds are refused", "[cli][diagram][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml",
               "title: One rack\nbase: " + one_rack +
                   "\nset: { duration: 10 s }\n"
                   "changes:\n  supply: { path: hall.cooling.loops.supply_temperature, values: [30 degC, 35 degC] }\n"
                   "  speed: { path: hall.cooling.loops.pump_speed, values: [65 %, 75 %] }\n"
                   "keep: [ peak_die_temperature: degC, pue ]\n");
  REQUIRE(folder.run({"study", "s.yaml", "-o", "s", "-q"}).exit_code == 0);
  const Outcome drawn = folder.run({"diagram", "columns", "s", "--x", "supply", "--y", "pue", "--by", "speed"});
  INFO(drawn.errors);
  REQUIRE(drawn.exit_code == 0);
  CHECK(drawn.output == "s_columns.svg: pue over supply\n");
  CHECK_THAT(file_text(folder / "s_columns.svg"),
             Contains("One rack") && Contains("pue over supply, colours: speed; 4 runs") && Contains(">65 %<"));
  const Outcome unknown = folder.run({"diagram", "columns", "s/study.h5", "--x", "suply", "--y", "pue"});
  CHECK(unknown.exit_code == 1);
  CHECK_THAT(unknown.errors, Contains("did you mean 'supply'?"));
  CHECK_THAT(folder.run({"diagram", "columns", "s", "--x", "supply", "--y", "pue", "--at", "end"}).errors,
             Contains("--at: 'columns' has none"));
  run_in(folder);
  CHECK_THAT(folder.run({"diagram", "power", "x.h5", "--y", "pue"}).errors, Contains("--y: 'power' has none"));
  const Outcome other = folder.run({"diagram", "columns", "x.h5", "--x", "supply", "--y", "pue"});
  CHECK(other.exit_code == 4);
  CHECK_THAT(other.errors, Contains("it needs the folder of a study"));
}

TEST_CASE("bus bandwidth of a scenario is a picture beside measured ones", "[cli][diagram]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome drawn = folder.run({"diagram", "bus-bandwidth", one_rack, "-o", "bandwidth.svg"});
  INFO(drawn.errors);
  REQUIRE(drawn.exit_code == 0);
  CHECK(drawn.output == "bandwidth.svg: bus bandwidth of all-reduce over its bytes\n");
  CHECK_THAT(file_text(folder / "bandwidth.svg"), Contains("8 GPUs of a domain, ring") &&
                                                      Contains("8 H100, switches, measured") &&
                                                      Contains("bytes of the all-reduce, MB"));
  CHECK_THAT(folder.run({"diagram", "bus-bandwidth", one_rack, "--at", "end"}).errors,
             Contains("--at: 'bus-bandwidth' has none"));
}
