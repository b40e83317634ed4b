#include "twin/commands/program/written_picture.hpp"

#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/commands/program/picture_converter.hpp"
#include "twin/commands/program/written_file.hpp"
#include "twin/platform/unfinished_name.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view svg_head = "<svg", png_head = "\x89PNG";

std::string read_all(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_png(const fs::path& output, const std::string& svg, std::span<const PictureText> texts) {
  const fs::path partial = unfinished_name(output);
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
  const std::string png = png_with_texts(read_all(partial), texts);
  fs::remove(partial, ignored);
  write_whole(output, png);
}

}  // namespace

void demand_picture_place(const fs::path& output, const std::vector<fs::path>& inputs, bool is_forced,
                          const std::string& option) {
  const bool is_png = output.extension() == ".png";
  if (!is_png && output.extension() != ".svg")
    throw InputError({{{option, 0, 0},
                       fmt::format("'{}' is no SVG and no PNG file", output.string()),
                       "end it in .svg or .png",
                       {}}},
                     "the command line");
  demand_own_place(output, inputs, is_png ? png_head : svg_head, is_forced);
}

void write_picture(const fs::path& output, const std::string& svg, std::span<const PictureText> texts) {
  if (output.extension() == ".png")
    write_png(output, svg, texts);
  else
    write_whole(output, svg_with_texts(svg, texts));
}

}  // namespace wattloop::twin
