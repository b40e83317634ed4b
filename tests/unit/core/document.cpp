#include "twin/document/document.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace fs = std::filesystem;

namespace {

/// A folder for the files of one test, the working folder while it lives.
class WorkingFolder {
 public:
  WorkingFolder() { fs::current_path(folder_.path()); }
  ~WorkingFolder() { fs::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  void write(const fs::path& file, std::string_view text) const {
    if (file.has_parent_path()) fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

 private:
  fs::path before_ = fs::current_path();
  wattloop::tests::TemporaryFolder folder_;
};

std::string text_of(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems.all()) text += format_problem(problem);
  return text;
}

Node read_good(std::string_view text) {
  Problems problems;
  Node root = read_document_text(text, "test.yaml", problems);
  CHECK(text_of(problems) == "");
  return root;
}

std::string problems_of_text(std::string_view text) {
  Problems problems;
  read_document_text(text, "test.yaml", problems);
  return text_of(problems);
}

std::string problems_of_file(const fs::path& file, const ReadOptions& options = {}) {
  Problems problems;
  read_document(file, problems, options);
  return text_of(problems);
}

/// Text of the scalar at a path of keys.
std::string at(const Node& root, std::initializer_list<std::string_view> path) {
  const Node* node = &root;
  for (const std::string_view key : path) {
    node = find(*node, key);
    if (node == nullptr) return "(absent)";
  }
  return node->is_scalar() ? node->text : describe(*node);
}

std::string place_of(const Node& node) {
  return fmt::format("{}:{}:{}", node.place.file, node.place.line, node.place.column);
}

}  // namespace

TEST_CASE("a document is maps in their order, lists and texts", "[document]") {
  const Node root = read_good("b: 45 degC\na: [x, 'y z', ~]\nc: { d: {}, e: \"\" }\n");
  REQUIRE(root.entries.size() == 3);
  CHECK(root.entries[0].key.text == "b");
  CHECK(at(root, {"b"}) == "45 degC");
  const Node& list = root.entries[1].value;
  REQUIRE(list.items.size() == 3);
  CHECK(list.items[1].text == "y z");
  CHECK(list.items[1].is_quoted);
  CHECK(list.items[2].is_null());
  CHECK(at(root, {"c", "d"}) == "a map");
  CHECK(at(root, {"c", "e"}) == "");
  CHECK(at(root, {"c", "f"}) == "(absent)");
}

TEST_CASE("every node knows its line and its column in characters", "[document]") {
  const Node root = read_good("first: 1\r\nhall:\n  # a comment\n  \"größe\": {  racks: 8 }\n");
  const Entry& hall = root.entries[1];
  CHECK(place_of(hall.key) == "test.yaml:2:1");
  const Entry& size = hall.value.entries[0];
  CHECK(place_of(size.key) == "test.yaml:4:3");
  CHECK(place_of(size.value) == "test.yaml:4:12");
  CHECK(place_of(size.value.entries[0].value) == "test.yaml:4:22");
  CHECK(size.key.excerpt == "  \"größe\": {  racks: 8 }");
  CHECK(root.entries[0].value.excerpt == "first: 1");
}

TEST_CASE("every duplicate key is reported with the place of the first", "[document]") {
  CHECK(problems_of_text("racks:\n  count: 8\n  rows: 1\n  count: 9\n  count: 10\n") ==
        "test.yaml:4:3: duplicate key 'count'\n"
        "    4 |   count: 9\n"
        "      |   ^\n"
        "      = first given in line 2\n"
        "test.yaml:5:3: duplicate key 'count'\n"
        "    5 |   count: 10\n"
        "      |   ^\n"
        "      = first given in line 2\n");
}

TEST_CASE("broken YAML is reported with its place", "[document]") {
  CHECK(problems_of_text("duration: 2 h\nhall: { racks: 8\n") ==
        "test.yaml:2:17: not valid YAML: end of map flow not found\n    2 | hall: { racks: 8\n      |                 "
        "^\n      = a '{' has no '}'\n");
  CHECK(problems_of_text("a: 1\nb: x: 2\n") ==
        "test.yaml:2:5: not valid YAML: illegal map value\n"
        "    2 | b: x: 2\n"
        "      |     ^\n"
        "      = is the line indented as its neighbours? a text with ': ' needs quotes\n");
  CHECK(problems_of_text("a:\n\tb: 2\n") ==
        "test.yaml:2:3: not valid YAML: illegal map value\n"
        "    2 |  b: 2\n"
        "      |   ^\n"
        "      = indent with spaces\n");
}

TEST_CASE("a quote without its partner does not swallow the rest of the file", "[document]") {
  CHECK(problems_of_text("title: 'One rack\nhall: 2\n") ==
        "test.yaml:1:8: not valid YAML: a quotation mark is not closed\n    1 | title: 'One rack\n      |        ^\n");
  CHECK(problems_of_text("title: \"One \\\" rack\nhall: 2\n").find("a quotation mark is not closed") !=
        std::string::npos);
  const Node root = read_good("a: 'it''s ''here'''\nb: \"a \\\" b\n  c\"\nc: 1\n");
  CHECK(at(root, {"a"}) == "it's 'here'");
  CHECK(at(root, {"b"}) == "a \" b c");
  CHECK(at(root, {"c"}) == "1");
}

TEST_CASE("a byte order mark is no text", "[document]") {
  const Node root = read_good(
      "\xEF\xBB\xBF"
      "a: 1\n");
  CHECK(at(root, {"a"}) == "1");
  CHECK(root.entries[0].key.excerpt == "a: 1");
}

TEST_CASE("what YAML has and the scenario language has not is refused", "[document]") {
  CHECK(problems_of_text("a: &x { b: 1 }\nc: { <<: *x }\n") ==
        "test.yaml:2:6: merge keys ('<<') are not supported\n    2 | c: { <<: *x }\n      |      ^\n      = write "
        "'extends', or repeat the values\n");
  CHECK(problems_of_text("a: !!int 3\n").find("tags have no meaning here") != std::string::npos);
  CHECK(problems_of_text("a: 1\n---\nb: 2\n").find("a second document in one file") != std::string::npos);
  CHECK(problems_of_text("[a, b]: 2\n").find("a list cannot be a key, expected a name") != std::string::npos);
  CHECK(problems_of_text("a: &x [*x]\n").find("an alias is inside its own anchor") != std::string::npos);
}

TEST_CASE("aliases are copies, in bounds", "[document]") {
  const Node root = read_good("a: &x { b: 1 }\nc: *x\n");
  CHECK(at(root, {"c", "b"}) == "1");
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  CHECK(problems_of_text(bomb).find("too many values: aliases multiply them") != std::string::npos);
}

TEST_CASE("empty files and files that are no map are refused", "[document]") {
  CHECK(problems_of_text("") ==
        "test.yaml: the file is empty\n"
        "      = expected keys and values, such as 'duration: 2 h'\n");
  CHECK(problems_of_text("# only a comment\n").starts_with("test.yaml: the file is empty\n"));
  CHECK(problems_of_text("- a\n- b\n") ==
        "test.yaml:1:1: the file is a list\n"
        "    1 | - a\n"
        "      | ^\n"
        "      = expected keys and values, such as 'duration: 2 h'\n");
}

TEST_CASE("binary files, folders and missing files are refused", "[document]") {
  const WorkingFolder folder;
  folder.write("zero.yaml", std::string_view("a: 1\0", 5));
  folder.write("latin.yaml",
               "a: gr\xF6\xDF"
               "e\n");
  folder.write("results.h5", std::string_view("\x89HDF\r\n\x1a\n\0\0", 10));
  folder.write("halls/one_rack.yaml", "a: 1\n");
  CHECK(problems_of_file("zero.yaml") == "zero.yaml: is not a text file (byte 5)\n      = expected YAML in UTF-8\n");
  CHECK(problems_of_file("latin.yaml") == "latin.yaml: is not a text file (byte 6)\n      = expected YAML in UTF-8\n");
  CHECK(problems_of_file("results.h5") ==
        "results.h5: is not a text file (byte 1)\n      = this is an HDF5 file, expected YAML\n");
  CHECK(problems_of_file("halls") == "halls: is a folder, expected a YAML file\n");
  CHECK(problems_of_file("halls/one_rak.yaml") ==
        "halls/one_rak.yaml: no such file\n      = did you mean 'halls/one_rack.yaml'?\n");
  CHECK(problems_of_file("hals/one_rack.yaml") ==
        "hals/one_rack.yaml: no such file\n      = there is no folder 'hals'\n");
}

TEST_CASE("a file that another one names is reported where it is named", "[document]") {
  const WorkingFolder folder;
  folder.write("a.yaml", "duration: 2 h\nextends: bse.yaml\n");
  folder.write("base.yaml", "duration: 1 h\n");
  CHECK(problems_of_file("a.yaml") ==
        "a.yaml:2:10: 'bse.yaml': no such file\n"
        "    2 | extends: bse.yaml\n"
        "      |          ^\n"
        "      = did you mean 'base.yaml'?\n");
}

TEST_CASE("an extending file merges maps key by key and replaces everything else", "[document]") {
  const WorkingFolder folder;
  folder.write("base/hall.yaml", "extends: room.yaml\nhall:\n  racks: 8\n  list: [1, 2]\n  deep: { x: 1, y: 2 }\n");
  folder.write("base/room.yaml", "room: 60 m3\nhall: { racks: 1, rows: 1 }\n");
  folder.write("own.yaml", "extends: base/hall.yaml\nhall:\n  list: [3]\n  deep: { y: 5, z: 6 }\nown: 1\n");
  Problems problems;
  const Node root = read_document("own.yaml", problems);
  CHECK(text_of(problems) == "");
  CHECK(document_text(root) ==
        "room: 60 m3\n"
        "hall:\n  racks: 8\n  rows: 1\n  list:\n    - 3\n  deep:\n    x: 1\n    y: 5\n    z: 6\n"
        "own: 1\n");
  CHECK(place_of(*find(root, "room")) == "base/room.yaml:1:7");
  const Node& hall = *find(root, "hall");
  CHECK(place_of(*find(hall, "racks")) == "base/hall.yaml:3:10");
  CHECK(place_of(*find(*find(hall, "deep"), "y")) == "own.yaml:4:14");
}

TEST_CASE("files that extend each other are reported", "[document]") {
  const WorkingFolder folder;
  folder.write("a.yaml", "extends: b.yaml\n");
  folder.write("b.yaml", "x: 1\nextends: ./a.yaml\n");
  CHECK(problems_of_file("a.yaml") ==
        "b.yaml:2:10: extends: the files extend each other in a cycle\n    2 | extends: ./a.yaml\n      |          ^\n "
        "     = a.yaml -> b.yaml -> a.yaml\n");
}

TEST_CASE("the environment expands inside quotes", "[document]") {
  setenv("WATTLOOP_TEST_FOLDER", "/data", 1);
  unsetenv("WATTLOOP_TEST_UNSET");
  const Node root = read_good("a: \"${WATTLOOP_TEST_FOLDER}/x.csv\"\nb: '$${HOME} $5 ${'\n");
  CHECK(at(root, {"a"}) == "/data/x.csv");
  CHECK(at(root, {"b"}) == "${HOME} $5 ${");
  CHECK(problems_of_text("a: '${WATTLOOP_TEST_UNSET}/x'\n") ==
        "test.yaml:1:4: the environment variable 'WATTLOOP_TEST_UNSET' is not set\n"
        "    1 | a: '${WATTLOOP_TEST_UNSET}/x'\n"
        "      |    ^\n"
        "      = export WATTLOOP_TEST_UNSET=... before the run\n");
  CHECK(problems_of_text("a: ${WATTLOOP_TEST_FOLDER}/x\n") ==
        "test.yaml:1:4: '${WATTLOOP_TEST_FOLDER}/x' needs quotes to be expanded\n"
        "    1 | a: ${WATTLOOP_TEST_FOLDER}/x\n"
        "      |    ^\n"
        "      = write \"${WATTLOOP_TEST_FOLDER}/x\"\n");
}

TEST_CASE("overrides change values, make keys and number list items from one", "[document]") {
  Problems problems;
  const ReadOptions options{.overrides = {"hall.racks.count=9", "hall.door.supply=20 degC", "events.2.at=3 h",
                                          "record={ gpus: 5 s }", "hall.racks.hardware='a b'"},
                            .named_at = nullptr};
  const Node root = read_document_text(
      "hall: { racks: { count: 8, rows: 1 } }\nevents: [{ at: 1 h }, { at: 2 h }]\nrecord: { racks: 1 s }\n",
      "test.yaml", problems, options);
  CHECK(text_of(problems) == "");
  CHECK(at(root, {"hall", "racks", "count"}) == "9");
  CHECK(at(root, {"hall", "racks", "rows"}) == "1");
  CHECK(at(root, {"hall", "racks", "hardware"}) == "a b");
  CHECK(at(root, {"hall", "door", "supply"}) == "20 degC");
  CHECK(at(root, {"record", "racks"}) == "1 s");
  CHECK(at(root, {"record", "gpus"}) == "5 s");
  CHECK(at(find(root, "events")->items[0], {"at"}) == "1 h");
  CHECK(at(find(root, "events")->items[1], {"at"}) == "3 h");
  CHECK(find(*find(*find(root, "hall"), "racks"), "count")->place.file == "--set hall.racks.count=9");
}

TEST_CASE("overrides reach names that contain dots", "[document]") {
  const std::string text = "branches:\n  ups.output: { length: 1 m }\n  ups: { length: 2 m }\n";
  const auto length_of = [&](const std::string& name, const std::string& override_text) {
    Problems problems;
    const Node root = read_document_text(text, "a.yaml", problems, {.overrides = {override_text}, .named_at = nullptr});
    const Node* branch = find(*find(root, "branches"), name);
    return branch == nullptr || !branch->is_map() ? std::string() : find(*branch, "length")->text;
  };
  CHECK(length_of("ups.output", "branches.ups.output.length=5 m") == "5 m");  // the longest key that is there
  CHECK(length_of("ups", "branches.ups.output.length=5 m") == "2 m");
  CHECK(length_of("ups", "branches.ups.length=5 m") == "5 m");
  CHECK(length_of("ups.output", "branches.\"ups.output\".length=5 m") == "5 m");
  CHECK(length_of("pdu.output", "branches.'pdu.output'.length=5 m") == "5 m");  // a new one
  CHECK(length_of("pdu.output", "branches.pdu.output.length=5 m").empty());
}

TEST_CASE("a wrong override is reported as what was typed", "[document]") {
  const auto problems_of = [](std::string override_text) {
    Problems problems;
    read_document_text("hall: { racks: 8 }\nevents: [a]\n", "test.yaml", problems,
                       {.overrides = {std::move(override_text)}, .named_at = nullptr});
    return text_of(problems);
  };
  CHECK(problems_of("hall.racks") ==
        "--set hall.racks: expected path=value\n      = for example --set \"duration=2 h\"\n");
  CHECK(problems_of("hall..racks=8") ==
        "--set hall..racks=8: a name in the path is empty\n      = for example hall.racks.count\n");
  CHECK(problems_of("hall.racks.count=8") == "--set hall.racks.count=8: there is no 'count' in '8'\n");
  CHECK(problems_of("events.2=b") == "--set events.2=b: there is no '2' in a list of 1\n      = count items from 1\n");
  CHECK(problems_of("hall=[1") ==
        "--set hall=[1: not valid YAML: end of sequence flow not found\n      = a '[' has no ']'\n");
}

TEST_CASE("a document that is written reads back the same", "[document]") {
  const Node root = read_good(
      "title: 'One rack: \"8\" nodes # not a comment'\n"
      "empty: {}\nnone: []\nnothing:\nquoted_number: '8'\nquoted_null: \"~\"\nlines: |\n  a\n  b\n"
      "escaped: \"tab\\t nul\\x01 $${HOME}\"\n'key: odd': 1\nfolded: one\n  two\n\n  three\n"
      "list: [[1, [2]], { a: [] }, 'it''s', 45 °C, -3 %, 12:30:00, 2026-01-01T00:00:00, yes, 1e5]\n");
  const std::string text = document_text(root);
  INFO(text);
  const Node again = read_good(text);
  CHECK(same_content(root, again));
  CHECK(document_text(again) == text);
  CHECK(find(again, "quoted_null")->is_scalar());
  CHECK_FALSE(same_content(root, read_good("a: 1\n")));
}

TEST_CASE("a named file is relative to the file that names it", "[document]") {
  Problems problems;
  const Node root = read_document_text("a: traces/x.csv\nb: /abs/y.csv\nc: ../z.csv\n", "scenarios/hall/own.yaml",
                                       problems, {.overrides = {"d=here.csv"}, .named_at = nullptr});
  CHECK(named_file(*find(root, "a")) == "scenarios/hall/traces/x.csv");
  CHECK(named_file(*find(root, "b")) == "/abs/y.csv");
  CHECK(named_file(*find(root, "c")) == "scenarios/z.csv");
  CHECK(named_file(*find(root, "d")) == "here.csv");
}
