// Names as no one should choose them: quotes, substitutions, line breaks, escapes, markup, other scripts, bytes that are no UTF-8.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace wattloop::tests {

/// Some hundreds, or as many as WATTLOOP_HOSTILE_NAMES says. One that is executed leaves a file `owned` in the folder where it is read.
inline std::vector<std::string> hostile_names() {
  const std::vector<std::string> pieces{"'",
                                        "\"",
                                        "`touch owned`",
                                        "$(touch owned)",
                                        "${HOME}",
                                        "; touch owned #",
                                        "\n",
                                        "\r",
                                        "\r\ntouch owned\n",
                                        "\t",
                                        "\x1b[31m",
                                        "\x7f",
                                        "\x01",
                                        "\\",
                                        "\\'",
                                        "\\\"",
                                        "\\n",
                                        "\\u0022",
                                        "&",
                                        "<",
                                        ">",
                                        "</script><script>",
                                        "<!--",
                                        "-->",
                                        "]]>",
                                        "<![CDATA[",
                                        "&quot;",
                                        "&#34;",
                                        "{",
                                        "}",
                                        "{}",
                                        "{0}",
                                        "%s",
                                        "%",
                                        "#",
                                        " #",
                                        ": ",
                                        "- ",
                                        "---\n",
                                        "...\n",
                                        "|",
                                        "*a",
                                        "&a",
                                        "!!python/object:os.x",
                                        "\"\"\"",
                                        "'''",
                                        "\"\n__import__('os').system('touch owned')\n\"",
                                        "\xc2\x85",
                                        "\xe2\x80\xa8",
                                        "\xe2\x80\xa9",
                                        "\xe2\x80\xae",
                                        "\xef\xbb\xbf",
                                        "\xef\xbf\xbf",
                                        "\xf0\x9f\x98\x80",
                                        "é",
                                        "電力",
                                        "\xff",
                                        "\xc3",
                                        "\xed\xa0\x80",
                                        "\xc0\xaf",
                                        "a",
                                        "rack_1",
                                        "7",
                                        " ",
                                        ".",
                                        "-",
                                        "--output=owned",
                                        "=1+1",
                                        "@",
                                        "~",
                                        "!",
                                        "?",
                                        "|touch owned",
                                        "&& touch owned",
                                        ">owned",
                                        "true",
                                        "null",
                                        "0x1f"};
  const char* asked = std::getenv("WATTLOOP_HOSTILE_NAMES");
  const std::size_t count = asked == nullptr ? 400 : std::strtoul(asked, nullptr, 10);
  const char* seed = std::getenv("WATTLOOP_HOSTILE_SEED");
  std::mt19937 random(seed == nullptr ? 7U : static_cast<unsigned>(std::strtoul(seed, nullptr, 10)));
  std::vector<std::string> names(pieces);
  while (names.size() < count) {
    std::string name;
    for (std::size_t left = 1 + random() % 6; left > 0; --left) name += pieces[random() % pieces.size()];
    if (names.size() % 97 == 0) name += std::string(5000, 'x') + name;
    names.push_back(name);
  }
  names.resize(count);
  return names;
}

/// The names with a NUL behind each.
inline void write_names(const std::filesystem::path& file, const std::vector<std::string>& names) {
  std::ofstream out(file, std::ios::binary);
  for (const std::string& name : names) out << name << '\0';
}

}  // namespace wattloop::tests
