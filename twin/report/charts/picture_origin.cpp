#include "twin/report/charts/picture_origin.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "twin/platform/typed_command.hpp"
#include "twin/platform/version.hpp"

namespace wattloop::twin {

namespace {

std::string program_text(std::string_view version, std::string_view commit) {
  return fmt::format("Wattloop {} (commit {})", version, commit);
}

}  // namespace

std::vector<PictureText> picture_origin(const ResultsReader* results) {
  std::vector<PictureText> texts{{"Software", program_text(version(), commit())}, {"Command", typed_command()}};
  if (results == nullptr) return texts;
  const auto of_run = [&](const char* name) { return results->provenance_text(name).value_or(""); };
  std::string changes = of_run("overrides");
  std::ranges::replace(changes, '\n', ';');
  if (!of_run("title").empty()) texts.insert(texts.begin(), {"Title", of_run("title")});
  if (!of_run("scenario_file").empty()) texts.push_back({"Scenario", of_run("scenario_file")});
  if (!changes.empty()) texts.push_back({"Changes of the scenario", changes});
  if (!of_run("version").empty()) texts.push_back({"Computed by", program_text(of_run("version"), of_run("commit"))});
  return texts;
}

}  // namespace wattloop::twin
