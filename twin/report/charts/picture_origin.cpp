#include "twin/report/charts/picture_origin.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "twin/platform/typed_command.hpp"
#include "twin/platform/version.hpp"

namespace wattloop::twin {

namespace {

std::string program_text(std::string_view version, std::string_view commit) {
  return fmt::format("Wattloop {} (commit {})", version, commit);
}

/// From the folder in which the picture is drawn, if the file is below it: pictures are given to others, who have other folders.
std::string from_here(const std::string& file) {
  std::error_code failed;
  const std::filesystem::path near =
      std::filesystem::path(file).lexically_relative(std::filesystem::current_path(failed));
  return failed || near.empty() || *near.begin() == ".." ? file : near.generic_string();
}

}  // namespace

std::vector<PictureText> picture_origin(const ResultsReader* results) {
  std::vector<PictureText> texts{{"Software", program_text(version(), commit())}, {"Command", typed_command()}};
  if (results == nullptr) return texts;
  const auto of_run = [&](const char* name) { return results->provenance_text(name).value_or(""); };
  std::string changes = of_run("overrides");
  std::ranges::replace(changes, '\n', ';');
  if (!of_run("title").empty()) texts.insert(texts.begin(), {"Title", of_run("title")});
  if (!of_run("scenario_file").empty()) texts.push_back({"Scenario", from_here(of_run("scenario_file"))});
  if (!changes.empty()) texts.push_back({"Changes of the scenario", changes});
  if (!of_run("version").empty()) texts.push_back({"Computed by", program_text(of_run("version"), of_run("commit"))});
  return texts;
}

}  // namespace wattloop::twin
