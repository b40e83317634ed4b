#include "twin/commands/diagram_command.hpp"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "core/problem.hpp"
#include "core/time_of_run.hpp"
#include "twin/commands/picture_converter.hpp"
#include "twin/commands/written_file.hpp"
#include "twin/report/diagrams.hpp"
#include "twin/report/moment.hpp"
#include "twin/results/results_reader.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view svg_head = "<svg", png_head = "\x89PNG";

void write_png(const fs::path& output, const std::string& svg) {
  const fs::path partial = output.string() + fmt::format(".{}.partial", getpid());
  const fs::path drawing = partial.string() + ".svg";
  write_whole(drawing, svg);
  std::error_code ignored;
  try {
    convert_to_png(drawing, partial);
  } catch (const FileError&) {
    fs::remove(drawing, ignored);
    fs::remove(partial, ignored);
    throw;
  }
  fs::remove(drawing, ignored);
  fs::rename(partial, output);
}

}  // namespace

int diagram_command(const DiagramOptions& options) {
  const ResultsReader results(options.results);
  const auto kind = std::ranges::find(diagram_kinds(), options.kind, &DiagramKind::name);
  fs::path output = options.output;
  if (output.empty()) output = options.results.stem().string() + "_" + options.kind + ".svg";
  const bool is_png = output.extension() == ".png";
  if (!is_png && output.extension() != ".svg")
    throw InputError(
        {{{"-o", 0, 0}, fmt::format("'{}' is no SVG and no PNG file", output.string()), "end it in .svg or .png", {}}},
        "the command line");
  demand_own_place(output, {options.results}, is_png ? png_head : svg_head, options.is_forced);
  const ShownMoment moment =
      kind->is_of_moment || !options.at.empty() ? read_moment(results, options.at) : ShownMoment{};
  const std::string svg = diagram_file(results, options.kind, moment);
  if (svg.empty())
    throw FileError(fmt::format("cannot draw '{}' of {}: it needs {}", options.kind,
                                printable(options.results.string()), kind->needs));
  if (is_png)
    write_png(output, svg);
  else
    write_whole(output, svg);
  const std::string when = kind->is_of_moment ? fmt::format(" at {}{}{}", time_of_run(moment.time_s),
                                                            moment.words.empty() ? "" : ", ", moment.words)
                                              : "";
  fmt::print("{}: {}{}\n", printable(output.string()), kind->words.substr(0, kind->words.find(", at a moment")), when);
  return 0;
}

}  // namespace wattloop::twin
