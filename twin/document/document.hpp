// A YAML document as a value of our own: maps in their order, sequences and scalars that know where they were
// written.
//
// Reading a file applies, in this order: `${NAME}` from the environment inside quoted strings (`$${` is a
// plain `${`), the file's `extends` (recursively; maps merge key by key, everything else replaces), overrides
// (`--set path=value`).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/problem.hpp"

namespace wattloop::twin {

struct Entry;

/// A value of the document and where it was written.
struct Node {
  enum class Kind { null, scalar, sequence, map };

  Kind kind = Kind::null;
  std::string text;            ///< of a scalar, quotes and escapes resolved
  bool is_quoted = false;      ///< of a scalar
  std::string written;         ///< of a scalar with `${NAME}` in it: as it was written, without the value; else empty
  std::vector<Node> items;     ///< of a sequence
  std::vector<Entry> entries;  ///< of a map, in the order written
  bool is_taken_back = false;  ///< null over what an extended file says: as if it had never been said
  bool is_repeated = false;    ///< of a scalar: an override says what the file says
  Place place;                 ///< line 0: the whole file, or an override ("--set hall.racks.count=8")
  std::string excerpt;         ///< the line of the file

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_map() const { return kind == Kind::map; }
};

/// One key of a map; `key` is a scalar with its own place.
struct Entry {
  Node key;
  Node value;
};

/// Same structure and texts, wherever they were written.
bool same_content(const Node& a, const Node& b);

/// Value of `key` in a map, or null: absent, or not a map.
const Node* find(const Node& map, std::string_view key);
Node* find(Node& map, std::string_view key);

/// Puts `changes` over `node`: maps key by key, recursively; everything else replaces, with its place; null takes
/// back what was there. A `workload` of another `kind` begins anew (`take_kind`).
void merge_over(Node& node, const Node& changes);

/// The map whose keys are those of its `kind` alone.
inline constexpr std::string_view key_of_work = "workload";

/// Where the `kind` of a map becomes another one, its keys are taken back, since they are of the kind that it was; those that overrides or the
/// file of `kind` have put there stay.
void take_kind(Node& map, const Node& kind);

/// What `node` is, for messages: "a map", "a list", "'45 degC'", "nothing".
std::string describe(const Node& node);

/// A mistake at a node, with its excerpt.
Problem problem_at(const Node& node, std::string message, std::string hint = {});

/// A file that was read, and its name without folders: as it was written where that is a `${NAME}`, whose value is not to be reported.
struct ReadFile {
  std::filesystem::path path;
  std::string name;
};

struct ReadOptions {
  std::vector<std::string> overrides;      ///< "path=value": path by dots, list items by number from 1; value in YAML
  const Node* named_at = nullptr;          ///< where the file was named, for the place of "no such file"
  std::vector<ReadFile>* files = nullptr;  ///< where those that were read are added
};

/// Root of the file, always a map: an empty one where the file cannot be read at all. What is wrong goes to
/// `problems`.
Node read_document(const std::filesystem::path& file, Problems& problems, const ReadOptions& options = {});

/// Same from text; `name` stands for the file in places, `extends` is relative to its folder.
Node read_document_text(std::string_view text, const std::string& name, Problems& problems,
                        const ReadOptions& options = {});

/// YAML text that reads back to the same content.
std::string document_text(const Node& root);

/// Name without folders of a file that a scalar names, for results and messages.
std::string shown_file_name(const Node& scalar, const std::filesystem::path& file);

/// The file that a scalar names: relative to the file the scalar was written in, to the working folder for
/// overrides.
std::filesystem::path named_file(const Node& scalar);

}  // namespace wattloop::twin
