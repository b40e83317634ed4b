#include "twin/document/yaml_text.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

/// What aliases may make of a file: far above any scenario, far below any memory.
constexpr std::size_t most_nodes = 1'000'000;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string line(text.substr(start, end - start));
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
    start = end + 1;
  }
  return lines;
}

/// Characters, not bytes, before `byte`: where the caret belongs.
int column_of(const std::string& line, int byte) {
  const auto begin = line.begin();
  const auto end = begin + std::clamp<std::ptrdiff_t>(byte, 0, static_cast<std::ptrdiff_t>(line.size()));
  const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<int>(std::count_if(begin, end, is_first_byte)) + 1;
}

/// Longer lines are named by their number alone: each value of a line would keep a copy of it.
constexpr std::size_t longest_excerpt = 4000;

/// Where a text comes from: turns yaml-cpp's marks into places.
struct Source {
  Place whole;
  std::vector<std::string> lines;
  bool has_places = true;  // false: every place is `whole`

  void locate(Node& node, const YAML::Mark& mark) const {
    node.place = whole;
    if (!has_places || mark.is_null()) return;
    const int line = std::min(mark.line, static_cast<int>(lines.size()) - 1);
    node.place.line = line + 1;
    const std::string& text = lines[static_cast<std::size_t>(line)];
    if (text.size() > longest_excerpt) {
      node.place.column = mark.column + 1;
      return;
    }
    node.excerpt = text;
    std::ranges::replace(node.excerpt, '\t', ' ');
    node.place.column = column_of(node.excerpt, mark.column);
  }

  /// yaml-cpp marks the end of the file at the start of its last line: the mark after the last character.
  YAML::Mark after_the_text(YAML::Mark mark) const {
    const auto is_blank = [](const std::string& line) { return line.find_first_not_of(" \t") == std::string::npos; };
    if (mark.column > 0 || mark.line < 0 || mark.line >= std::ssize(lines)) return mark;
    if (!std::all_of(lines.begin() + mark.line + 1, lines.end(), is_blank)) return mark;
    while (mark.line > 0 && is_blank(lines[static_cast<std::size_t>(mark.line)])) --mark.line;
    mark.column = static_cast<int>(lines[static_cast<std::size_t>(mark.line)].size());
    return mark;
  }

  bool is_indented_by_tab(const YAML::Mark& mark) const {
    if (mark.line < 0 || static_cast<std::size_t>(mark.line) >= lines.size()) return false;
    const std::string& line = lines[static_cast<std::size_t>(mark.line)];
    return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string::npos;
  }

  /// yaml-cpp lets the end of the file end a quoted text. False if one that starts at the mark has no second
  /// quote.
  bool has_closing_quote(const YAML::Mark& mark) const {
    auto line = lines.begin() + std::clamp<std::ptrdiff_t>(mark.line, 0, std::ssize(lines) - 1);
    auto i = static_cast<std::size_t>(mark.column);
    const char quote = i < line->size() ? (*line)[i++] : '\0';
    if (quote != '"' && quote != '\'') return true;  // a block of text
    for (; line != lines.end(); ++line, i = 0) {
      for (; i < line->size(); ++i) {
        const bool is_escape = quote == '"' ? (*line)[i] == '\\' : line->compare(i, 2, "''") == 0;
        if (is_escape) {
          ++i;
        } else if ((*line)[i] == quote) {
          return true;
        }
      }
    }
    return false;
  }
};

std::size_t node_count(const Node& node) {
  std::size_t count = 1;
  for (const Node& item : node.items) count += node_count(item);
  for (const Entry& entry : node.entries) count += 1 + node_count(entry.value);
  return count;
}

/// Builds nodes from the parser's events. Collections under construction are on a stack.
class NodeBuilder : public YAML::EventHandler {
 public:
  NodeBuilder(const Source& source, Problems& problems) : source_(source), problems_(problems) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    place(at(mark, Node::Kind::null), anchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = at(mark, Node::Kind::scalar);
    node.text = value;
    node.is_quoted = tag == "!";
    if (!node.is_quoted) refuse_tag(node, tag);
    if (node.is_quoted && !source_.has_closing_quote(mark)) {
      throw YAML::ParserException(mark, "a quotation mark is not closed");
    }
    place(std::move(node), anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto anchored = anchored_.find(anchor);
    if (anchored == anchored_.end()) throw YAML::ParserException(mark, "an alias is inside its own anchor");
    count_ += node_count(anchored->second);
    place(anchored->second, 0, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(Node::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { finish(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(Node::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { finish(); }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
    std::optional<Node> key;                     // of a map: read, its value is next
    std::unordered_map<std::string, int> lines;  // of its keys so far
  };

  Node at(const YAML::Mark& mark, Node::Kind kind) const {
    Node node;
    node.kind = kind;
    source_.locate(node, mark);
    return node;
  }

  void start(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    Node node = at(mark, kind);
    refuse_tag(node, tag);
    open_.push_back({std::move(node), anchor, mark, std::nullopt, {}});
  }

  void finish() {
    Open done = std::move(open_.back());
    open_.pop_back();
    place(std::move(done.node), done.anchor, done.mark);
  }

  void refuse_tag(const Node& node, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    problems_.add(problem_at(node, fmt::format("tag '{}': tags have no meaning here", tag), "delete the tag"));
  }

  /// A finished node goes to where it belongs: the collection on top of the stack, as key, value or item.
  void place(Node node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (++count_ > most_nodes) throw YAML::ParserException(mark, "too many values: aliases multiply them");
    if (anchor != 0) anchored_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.is_sequence()) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = std::move(node);
    } else {
      add_entry(parent, *std::exchange(parent.key, std::nullopt), std::move(node));
    }
  }

  void add_entry(Open& map, Node key, Node value) {
    if (!key.is_scalar()) {
      problems_.add(problem_at(key, fmt::format("{} cannot be a key, expected a name", describe(key))));
      return;
    }
    if (key.text == "<<" && !key.is_quoted) {
      problems_.add(problem_at(key, "merge keys ('<<') are not supported", "write 'extends', or repeat the values"));
      return;
    }
    if (key.text == "true" && !key.is_quoted) key.text = "on";  // what programs of YAML 1.1 make of the key `on`
    const auto [same, is_new] = map.lines.emplace(key.text, key.place.line);
    if (!is_new) {
      const int line = same->second;
      problems_.add(problem_at(key, fmt::format("duplicate key '{}'", key.text),
                               line > 0 ? fmt::format("first given in line {}", line) : std::string()));
      return;
    }
    if (value.is_null()) {  // its mark is where the next thing begins
      value.place = key.place;
      value.excerpt = key.excerpt;
    }
    map.node.entries.push_back({std::move(key), std::move(value)});
  }

  const Source& source_;
  Problems& problems_;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchored_;
  std::size_t count_ = 0;
};

/// The usual reasons behind what yaml-cpp says.
std::string_view hint_for(std::string_view yaml_message) {
  if (yaml_message == YAML::ErrorMsg::MAP_VALUE)
    return "is the line indented as its neighbours? a text with ': ' needs quotes";
  if (yaml_message.starts_with("end of map flow")) return "a '{' has no '}'";
  if (yaml_message.starts_with("end of sequence flow")) return "a '[' has no ']'";
  if (yaml_message.starts_with("end of map") || yaml_message.starts_with("end of sequence")) {
    return "is the line indented as its neighbours?";
  }
  return {};
}

Node parse(std::string_view text, const Source& source, Problems& problems) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    NodeBuilder builder(source, problems);
    parser.HandleNextDocument(builder);
    Node root = builder.take_root();
    Problems second_document;
    if (NodeBuilder ignored(source, second_document); parser.HandleNextDocument(ignored)) {
      problems.add(problem_at(ignored.take_root(), "a second document in one file", "delete the line '---'"));
    }
    return root;
  } catch (const YAML::ParserException& error) {
    Node where;
    const bool is_unfinished = error.msg.starts_with("end of");
    source.locate(where, is_unfinished ? source.after_the_text(error.mark) : error.mark);
    const std::string_view hint = source.is_indented_by_tab(error.mark) ? "indent with spaces" : hint_for(error.msg);
    problems.add(problem_at(where, fmt::format("not valid YAML: {}", error.msg), std::string(hint)));
    return {};
  }
}

void emit(YAML::Emitter& out, const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      out << YAML::Null;
      return;
    case Node::Kind::scalar:
      if (!node.written.empty())
        out << YAML::DoubleQuoted << node.written;
      else if (node.is_quoted)
        out << YAML::DoubleQuoted << without_environment(node.text);
      else
        out << node.text;
      return;
    case Node::Kind::sequence:
      out << YAML::BeginSeq;
      for (const Node& item : node.items) emit(out, item);
      out << YAML::EndSeq;
      return;
    case Node::Kind::map:
      out << YAML::BeginMap;
      for (const Entry& entry : node.entries) {
        if (entry.value.is_null() && entry.value.is_taken_back) continue;
        out << YAML::Key;
        if (entry.key.is_quoted) out << YAML::DoubleQuoted;
        out << entry.key.text << YAML::Value;
        emit(out, entry.value);
      }
      out << YAML::EndMap;
      return;
  }
}

}  // namespace

Node parse_yaml(std::string_view text, const std::string& file, Problems& problems) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  Source source;
  source.whole.file = file;
  source.lines = lines_of(text);
  return parse(text, source, problems);
}

Node parse_yaml_value(std::string_view text, const Place& place, Problems& problems) {
  Source source;
  source.whole = place;
  source.lines = lines_of(text);
  source.has_places = false;
  return parse(text, source, problems);
}

std::string without_environment(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("${")) result += '$';
    result += text[i];
  }
  return result;
}

std::string document_text(const Node& root) {
  YAML::Emitter out;
  emit(out, root);
  return fmt::format("{}\n", out.c_str());
}

}  // namespace wattloop::twin
