#include "core/text/quoted_text.hpp"

#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "core/text/code_point.hpp"
#include "core/text/printable.hpp"

namespace wattloop {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

std::uint32_t number(char32_t value) { return value; }

/// Calls `write(character, bytes)` for each.
template <class Write>
void for_each_character(std::string_view text, Write write) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint one = code_point_at(text, i);
    write(one.value, text.substr(i, one.bytes));
    i += one.bytes;
  }
}

bool is_plain(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:+@%-";
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

}  // namespace

std::string shell_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else if (c != '\0')
      quoted += c;
  }
  return quoted + "'";
}

std::string shell_file(std::string_view path) {
  const std::string safe = (path.starts_with('-') ? "./" : "") + printable(path);
  return is_plain(safe) ? safe : shell_text(safe);
}

std::string python_text(std::string_view text) {
  std::string quoted = "\"";
  for_each_character(text, [&](char32_t value, std::string_view bytes) {
    if (value == no_character)
      quoted += fmt::format("\\udc{:02x}", static_cast<unsigned char>(bytes[0]));
    else if (value == '"' || value == '\\')
      quoted += fmt::format("\\{}", bytes);
    else if (value >= 0x20 && value < 0x7F)
      quoted += bytes;
    else
      quoted += value < 0x10000 ? fmt::format("\\u{:04x}", number(value)) : fmt::format("\\U{:08x}", number(value));
  });
  return quoted + "\"";
}

std::string script_text(std::string_view text) {
  std::string quoted = "\"";
  for_each_character(text, [&](char32_t value, std::string_view bytes) {
    const char32_t known = value == no_character ? 0xFFFD : value;
    const bool ends_script = known == '<' || known == '>' || known == '&';
    if (known == '"' || known == '\\')
      quoted += fmt::format("\\{}", bytes);
    else if (known >= 0x20 && known < 0x7F && !ends_script)
      quoted += bytes;
    else if (known < 0x10000)
      quoted += fmt::format("\\u{:04x}", number(known));
    else
      quoted += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (number(known) >> 10U), 0xDC00 + (number(known) & 0x3FFU));
  });
  return quoted + "\"";
}

std::string page_text(std::string_view text) {
  std::string safe;
  for_each_character(text, [&](char32_t value, std::string_view bytes) {
    if (value == no_character) return void(safe += replacement);
    const bool is_in_xml = value == '\n' || value == '\t' ||
                           (value >= 0x20 && !(value >= 0x7F && value < 0xA0) && (value & 0xFFFE) != 0xFFFE);
    const std::size_t special =
        value < 0x80 ? std::string_view("&<>\"'").find(static_cast<char>(value)) : std::string::npos;
    if (special != std::string::npos)
      safe += std::array{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}[special];
    else if (is_in_xml)
      safe += bytes;
  });
  return safe;
}

std::string yaml_text(std::string_view text) {
  std::string quoted = "\"";
  for_each_character(text, [&](char32_t value, std::string_view bytes) {
    if (value == no_character)
      quoted += replacement;
    else if (value == '"' || value == '\\')
      quoted += fmt::format("\\{}", bytes);
    else if (value == '\n')
      quoted += "\\n";
    else if (is_unprintable(value))
      quoted += value < 0x10000 ? fmt::format("\\u{:04x}", number(value)) : fmt::format("\\U{:08x}", number(value));
    else
      quoted += bytes;
  });
  return quoted + "\"";
}

std::string comment_text(std::string_view text) { return printable(text); }

bool is_sbatch_text(std::string_view text) {
  bool needs_no_quotes = text.find_first_of(" \"'\\%#") == std::string_view::npos;
  for_each_character(text, [&](char32_t value, std::string_view) {
    needs_no_quotes = needs_no_quotes && value != no_character && !is_unprintable(value);
  });
  return needs_no_quotes;
}

}  // namespace wattloop
