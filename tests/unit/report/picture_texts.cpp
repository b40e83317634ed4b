// Texts inside of pictures, read back by the rules of the PNG specification: lengths, types and checksums of chunks.
#include "twin/platform/picture_texts.hpp"

#include <cstdint>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/report/charts/picture_origin.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

struct Chunk {
  std::string type{}, data{};
};

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < 4; ++k) number = number << 8U | static_cast<unsigned char>(bytes.at(at + k));
  return number;
}

/// CRC-32 bit by bit, as annex D of the specification defines it.
std::uint32_t crc_of(const std::string& bytes) {
  std::uint32_t crc = 0xffffffffU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xedb88320U : crc >> 1U;
  }
  return ~crc;
}

std::vector<Chunk> chunks_of(const std::string& png) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < png.size();) {
    const std::uint32_t length = number_at(png, at);
    chunks.push_back({png.substr(at + 4, 4), png.substr(at + 8, length)});
    CHECK(number_at(png, at + 8 + length) == crc_of(png.substr(at + 4, 4 + length)));
    at += 12 + length;
  }
  return chunks;
}

// Of one black pixel, as an encoder wrote it.
const std::string pixel(
    "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x3a\x7e\x9b\x55\x00\x00"
    "\x00\x0aIDAT\x78\x9c\x63\x60\x00\x00\x00\x02\x00\x01\x48\xaf\xa4\x71\x00\x00\x00\x00IEND\xae\x42\x60\x82",
    67);

std::string text_of(const std::vector<PictureText>& texts, const std::string& keyword) {
  for (const PictureText& one : texts)
    if (one.keyword == keyword) return one.text;
  return "none";
}

}  // namespace

TEST_CASE("a PNG file carries texts behind its header, with the checksums of the specification", "[picture_texts]") {
  const std::vector<PictureText> texts{{"Title", "Rücklauf 44 °C"}, {"Command", "wattloop view x.h5"}};
  const std::vector<Chunk> before = chunks_of(pixel), after = chunks_of(png_with_texts(pixel, texts));
  REQUIRE(before.size() == 3);
  REQUIRE(after.size() == 5);
  CHECK(after[0].type == "IHDR");
  CHECK(after[1].type == "iTXt");
  CHECK(after[1].data == std::string("Title\0\0\0\0\0", 10) + "Rücklauf 44 °C");
  CHECK(after[2].data == std::string("Command\0\0\0\0\0", 12) + "wattloop view x.h5");
  CHECK((after[3].type == "IDAT" && after[3].data == before[1].data));
  CHECK(after[4].type == "IEND");
  CHECK(png_with_texts("no picture", texts) == "no picture");
}

TEST_CASE("an SVG file carries texts as its first element, as texts", "[picture_texts]") {
  const std::string svg = svg_with_texts("<svg width='1'><g/></svg>", std::vector<PictureText>{{"Title", "a < b"}});
  CHECK(svg == "<svg width='1'>\n<metadata>\nTitle: a &lt; b\n</metadata><g/></svg>");
}

TEST_CASE("a picture says which run it is of, what changed of its scenario, and which programs made both",
          "[picture_texts]") {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  writer.write_provenance(std::vector<NamedValue>{{"title", std::string("A CDU is lost"), "", "t"},
                                                  {"scenario_file", std::string("cdu_lost.yaml"), "", "f"},
                                                  {"overrides", std::string("duration=1h\nseed=3"), "", "o"},
                                                  {"version", std::string("0.0.7"), "", "v"},
                                                  {"commit", std::string("abc123"), "", "c"}});
  writer.finish();
  const ResultsReader results(folder / "x.h5");
  const std::vector<PictureText> texts = picture_origin(&results);
  CHECK(text_of(texts, "Title") == "A CDU is lost");
  CHECK(text_of(texts, "Scenario") == "cdu_lost.yaml");
  CHECK(text_of(texts, "Changes of the scenario") == "duration=1h;seed=3");
  CHECK(text_of(texts, "Computed by") == "Wattloop 0.0.7 (commit abc123)");
  CHECK_THAT(text_of(texts, "Software"), Contains("Wattloop ") && Contains("(commit ") && !Contains("abc123"));
  CHECK_THAT(text_of(texts, "Command"), Catch::StartsWith("test_unit"));  // the program that made it
  CHECK(text_of(picture_origin(), "Title") == "none");
}

TEST_CASE("a picture has the path of its scenario from the folder in which it is drawn", "[picture_texts]") {
  const TemporaryFolder folder;
  const auto here = std::filesystem::current_path();
  int number = 0;
  for (const auto& [given, shown] :
       {std::pair(here / "halls" / "mixed.yaml", std::string("halls/mixed.yaml")),
        {here.parent_path() / "other.yaml", (here.parent_path() / "other.yaml").string()}}) {
    const auto file = folder.path() / (std::to_string(++number) + ".h5");
    ResultsWriter writer(file, "2026-01-01T00:00:00");
    writer.write_provenance(std::vector<NamedValue>{{"scenario_file", given.string(), "", "f"}});
    writer.finish();
    const ResultsReader results(file);
    CHECK(text_of(picture_origin(&results), "Scenario") == shown);
    CHECK(results.provenance_text("scenario_file") == given.string());
  }
}
