#include "twin/drawings/names/display_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/letter_name.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t listed_values = 5, listed_names = 4;

/// A word of a name and the mark before it: '.', '_' or none.
struct Word {
  char before = 0;
  std::string text{};
};

std::vector<Word> words_of(std::string_view name) {
  std::vector<Word> words{{}};
  for (const char c : name) {
    if (c == '.' || c == '_')
      words.push_back({c, {}});
    else
      words.back().text += c;
  }
  return words;
}

std::string said(const std::string& word) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> short_forms{
      {{"cdu", "CDU"},
       {"cdus", "CDUs"},
       {"crah", "CRAH"},
       {"gpu", "GPU"},
       {"gpus", "GPUs"},
       {"it", "IT"},
       {"pdu", "PDU"},
       {"ups", "UPS"},
       {"dx", "DX"},
       {"utility", "utility feed"}}};
  for (const auto& [written, display_name] : short_forms) {
    if (word == written) return std::string(display_name);
  }
  return word;
}

std::optional<int> number_of(const std::string& word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

bool is_run_of_numbers(const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<int> number = number_of(values[i]);
    if (!number || *number != *number_of(values[0]) + static_cast<int>(i)) return false;
  }
  return values.size() > 2;
}

/// Blocks of power and pumps are named by letters.
bool is_run_of_letters(std::span<const std::string> values) {
  constexpr std::size_t most = 26 + 26 * 26;  // of two letters
  std::size_t first = 0;
  while (first < most && letter_name(first) != values[0]) ++first;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (first + i >= most || values[i] != letter_name(first + i)) return false;
  }
  return true;
}

std::string and_list(const std::vector<std::string>& values) {
  if (values.size() == 1) return values[0];
  return fmt::format("{} and {}", fmt::join(values.begin(), values.end() - 1, ", "), values.back());
}

/// What stands at one place of several names; nothing where that would be a long list.
std::optional<std::string> values_said(std::vector<std::string> values) {
  const bool are_numbers = std::ranges::all_of(values, [](const std::string& v) { return number_of(v).has_value(); });
  if (are_numbers) std::ranges::sort(values, {}, [](const std::string& v) { return *number_of(v); });
  if (is_run_of_numbers(values)) return fmt::format("{} to {}", values.front(), values.back());
  if (values.size() <= listed_values) return and_list(values);
  std::ranges::sort(values, {}, [](const std::string& v) { return std::pair(v.size(), v); });
  if (is_run_of_letters(values)) return fmt::format("{} to {}", values.front(), values.back());
  return std::nullopt;
}

using Names = std::vector<std::vector<Word>>;

bool have_one_shape(const Names& names) {
  return std::ranges::all_of(names, [&](const std::vector<Word>& words) {
    return words[0].text == names[0][0].text &&
           std::ranges::equal(words, names[0], [](const Word& a, const Word& b) { return a.before == b.before; });
  });
}

/// All names are every value at a place with every value at the others.
std::optional<std::string> product_said(const Names& names) {
  if (!have_one_shape(names)) return std::nullopt;
  std::string text;
  std::size_t product = 1;
  for (std::size_t place = 0; place < names[0].size(); ++place) {
    std::vector<std::string> values;
    for (const std::vector<Word>& words : names) {
      const std::string value = said(words[place].text);
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
    product *= values.size();
    const std::optional<std::string> said_here = values_said(std::move(values));
    if (!said_here) return std::nullopt;
    const char before = names[0][place].before;
    text += (before == '.' ? ", " : before == '_' ? " " : "") + *said_here;
  }
  return product == names.size() ? std::optional(text) : std::nullopt;
}

bool is_same_word(const Word& a, const Word& b) { return a.before == b.before && a.text == b.text; }

/// All but the last words are those of the other.
bool are_siblings(const std::vector<Word>& a, const std::vector<Word>& b) {
  return a.size() == b.size() && a.size() > 1 && a.back().before == b.back().before &&
         std::equal(a.begin(), a.end() - 1, b.begin(), is_same_word);
}

std::string name_said(const std::vector<Word>& words) { return *product_said({words}); }

/// Names one by one; of those that differ in their last word alone, the first and the last words of the others: "row 1, rack 3, 8 and 17". A part
/// of the name before it is "its" part: "UPS a and its bypass".
std::vector<std::string> listed_together(std::span<const std::vector<Word>> names) {
  std::vector<std::string> listed;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::vector<Word>& words = names[k];
    const bool is_sibling = k > 0 && are_siblings(names[k - 1], words);
    const bool is_part = k > 0 && words.size() == names[k - 1].size() + 1 && words.back().before == '.' &&
                         std::equal(names[k - 1].begin(), names[k - 1].end(), words.begin(), is_same_word);
    listed.push_back(is_sibling ? said(words.back().text)
                     : is_part  ? "its " + said(words.back().text)
                                : name_said(words));
  }
  return listed;
}

}  // namespace

std::string display_name(std::string_view name, std::size_t skip) {
  for (; skip > 0; --skip) {
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos) break;
    name.remove_prefix(dot + 1);
  }
  return *product_said({words_of(name)});
}

std::string display_names(std::span<const std::string> names) {
  std::vector<std::string> each;
  std::set<std::string_view> known;
  for (const std::string& name : names) {
    if (known.insert(name).second) each.push_back(name);
  }
  if (each.empty()) return {};
  Names parts;
  for (const std::string& name : each) parts.push_back(words_of(name));
  if (const auto together = product_said(parts)) return *together;
  const std::vector<std::string> listed = listed_together(std::span(parts).first(std::min(each.size(), listed_names)));
  if (each.size() <= listed_names) return and_list(listed);
  return fmt::format("{} and {} more", fmt::join(listed, ", "), each.size() - listed_names);
}

std::string with_display_names(std::string_view text) {
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  std::string said;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    while (end > at && text[end - 1] == '.') --end;  // of a sentence
    const std::string_view word = text.substr(at, end - at);
    const bool is_name = word.size() > 2 && word.front() >= 'a' && word.find('_') != std::string_view::npos;
    said += is_name ? display_name(word) : std::string(word);
    at = end;
    if (at < text.size()) said += text[at++];
  }
  return said;
}

}  // namespace wattloop::twin
