// States and XDMF files of runs with hostile names are what Python and XML read, and execute nothing.
#include <algorithm>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/hostile_names.hpp"
#include "tests/support/run_program.hpp"
#include "viz/export/paraview_state.hpp"
#include "viz/export/xdmf.hpp"

using namespace wattloop::tests;
using namespace wattloop::viz;

TEST_CASE("states of ParaView and XDMF hold hostile names and execute none", "[hostile][export]") {
  const TemporaryFolder folder;
  const std::vector<std::string> names = hostile_names();
  write_names(folder / "names", names);
  std::size_t refused = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string file = names[k];
    std::ranges::replace(file, '/', '_');
    const std::vector<wattloop::twin::LayoutBox> layout{{.name = names[k], .kind = "rack", .size_m = {1, 1, 2}}};
    const XdmfBlock block{.name = "racks",
                          .cell_count = 1,
                          .points = "p",
                          .connections = "c",
                          .point_count = 8,
                          .fields = {{.name = names[k], .dataset = "racks/x"}}};
    const XdmfDocument document{.results_file = file + ".h5", .blocks = {block}, .frames = {{0.0, {0}}}};
    std::ofstream(folder / fmt::format("{}.pvstate", k).c_str())
        << k << '\n'
        << paraview_state(document, layout, "out/" + file + ".xdmf2",
                          {.title = names[k], .start_iso = names[k], .events = {{0.0, names[k]}}});
    refused += is_xdmf_reference(document.results_file) ? 0 : 1;
    std::ostringstream xdmf;
    write_xdmf(xdmf, document);
    std::ofstream(folder / fmt::format("{}.xdmf2", k).c_str()) << xdmf.str();
  }
  CHECK(refused > names.size() / 4);
  const Outcome read =
      Process("/usr/bin/python3", {WATTLOOP_SOURCE_DIR "/tests/support/read_hostile.py", folder.path().string()},
              folder.path())
          .wait();
  CHECK(read.output == "read .pvstate .xdmf2\n");
  CHECK(read.errors.empty());
}

TEST_CASE("a reference in XDMF is printable UTF-8 without what divides it", "[hostile][export]") {
  CHECK(is_xdmf_reference("../hall é (1) & <b>/run 1&2.h5"));
  for (const char* file : {"a:b.h5", "a|b.h5", "a\nb.h5", " a.h5", "a.h5 ", "\xff.h5", "a\x1b.h5", "a\xe2\x80\xa8.h5"})
    CHECK_FALSE(is_xdmf_reference(file));
}
