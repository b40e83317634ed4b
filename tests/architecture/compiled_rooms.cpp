// The compiler finds the headers that a folder or a room may use, and no other: an include against the order does not compile.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "tests/architecture/rules.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace wattloop::tests {

namespace {

namespace fs = std::filesystem;

struct Answer {
  bool has_compiled = false;
  std::string text;  ///< of the preprocessor, and messages
};

/// What the compiler of this build says of a file with this text.
Answer compile(const std::string& options, const std::string& text) {
  const TemporaryFolder folder;
  const fs::path source = folder / "source.cpp", output = folder / "output";
  std::ofstream(source) << text;
  const std::string command =
      WATTLOOP_CXX " -std=c++20 " + options + " " + source.string() + " >" + output.string() + " 2>&1";
  const bool has_compiled = std::system(command.c_str()) == 0;
  std::ifstream file(output);
  return {has_compiled, {std::istreambuf_iterator<char>(file), {}}};
}

/// Options with include folders of the first file of a folder or room in compile_commands.json of this build; empty where there is none.
std::string include_folders(std::string room) {
  std::ranges::replace(room, '/', '_');
  const std::string target = " -o CMakeFiles/wattloop_" + room + ".dir/";  // others name it for its precompiled header
  std::ifstream commands(fs::path(WATTLOOP_PROGRAM).parent_path() / "compile_commands.json");
  std::string found;
  for (std::string line; std::getline(commands, line) && found.empty();) {
    if (line.find("\"command\"") == std::string::npos || line.find(target) == std::string::npos) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (word.starts_with("-I")) found += word + " ";
  }
  return found;
}

/// One header of each folder of a folder: links are made for folders.
std::vector<std::string> header_of_each_folder() {
  std::vector<std::string> headers;
  for (const TextFile& file : read_project(WATTLOOP_SOURCE_DIR).files) {
    const auto is_for_nobody = [&](std::string_view folder) { return file.path.starts_with(folder); };
    if (!file.has_extension(".hpp") ||
        std::ranges::any_of(std::array{"tests/", "bench/", "api/include/"}, is_for_nobody))
      continue;
    const auto folder = [](const std::string& path) { return path.substr(0, path.rfind('/')); };
    if (headers.empty() || folder(headers.back()) != folder(file.path)) headers.push_back(file.path);
  }
  return headers;
}

/// Numbers of the headers that the preprocessor finds.
std::set<std::size_t> found_by_compiler(const std::vector<std::string>& headers, const std::string& options) {
  std::string text;
  for (std::size_t i = 0; i < headers.size(); ++i)
    text += "#if __has_include(\"" + headers[i] + "\")\n" + std::to_string(i) + "\n#endif\n";
  const Answer answer = compile(options + "-E -P", text);
  REQUIRE(answer.has_compiled);
  std::istringstream numbers(answer.text);
  return {std::istream_iterator<std::size_t>(numbers), {}};
}

}  // namespace

TEST_CASE("the compiler finds the headers that a room may use, and no other") {
  const std::vector<std::string> headers = header_of_each_folder();
  REQUIRE(headers.size() > 60);
  std::size_t compared = 0;
  for (const std::string& room : compiled_rooms()) {
    const std::string options = include_folders(room);
    if (options.empty()) continue;  // a room without files of its own to compile, or pictures that are not built
    ++compared;
    const std::set<std::size_t> found = found_by_compiler(headers, options);
    for (std::size_t i = 0; i < headers.size(); ++i) {
      INFO(room << " and " << headers[i]);
      CHECK(found.contains(i) == is_in_reach(headers[i], room));
    }
  }
  CHECK(compared >= 43);  // the folders and rooms that every build has
}

TEST_CASE("an include against the order does not compile") {
  const auto answer_of = [](const std::string& room, const std::string& header) {
    return compile(include_folders(room) + "-fsyntax-only", "#include \"" + header + "\"\n");
  };
  CHECK(answer_of("core", "core/text/problem.hpp").has_compiled);
  using Planted = std::pair<std::string, std::string>;
  for (const auto& [room, header] :
       {Planted{"core", "physics/fluids/fluid.hpp"}, Planted{"physics/weather", "workload/nodes/node_split.hpp"},
        Planted{"physics/fluids", "physics/units/cold_plate.hpp"}, Planted{"twin/plant", "twin/run/hall_run.hpp"},
        Planted{"twin/simulation", "twin/scenario/specs/scenario.hpp"},
        Planted{"twin/commands", "viz/hall/scene.hpp"}}) {
    const Answer answer = answer_of(room, header);
    CHECK(!answer.has_compiled);
    CHECK(answer.text.find(header + ": No such file or directory") != std::string::npos);
  }
}

}  // namespace wattloop::tests
