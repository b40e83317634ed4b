// Reads one map of a document key by key, remembers which keys there are, and reports the others.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// Keeps references to the node and the problems: both must outlive it.
class MapReader {
 public:
  /// `subject` is what the map describes, for messages ("cold_plate"). A node that is no map is a problem and
  /// reads as an empty one.
  MapReader(const Node& node, std::string subject, Problems& problems);

  /// Value of `key`, or null where it is absent; either way `key` is now known.
  const Node* find(std::string_view key);

  /// Like `find`; absence or an empty value is a problem, with `hint` to mend it.
  const Node* require(std::string_view key, std::string hint = {});

  /// Keys that may be there though no one reads them.
  void offer(std::string_view key) { find(key); }

  /// `hint` for those who write `key` here, where it does not belong.
  void redirect(std::string_view key, std::string hint) { redirected_.emplace_back(key, std::move(hint)); }

  /// A problem for every key that was neither asked for nor offered: "cold_plate has no parameter 'x'".
  void report_unknown_keys() const;

  const Node& node() const { return node_; }
  bool is_map() const { return node_.is_map(); }
  const std::string& subject() const { return subject_; }
  Problems& problems() const { return problems_; }

 private:
  std::string hint_of_unknown(const std::string& key) const;

  const Node& node_;
  std::string subject_;
  Problems& problems_;
  std::vector<std::string> known_;
  std::vector<std::pair<std::string, std::string>> redirected_;  // key, hint
};

}  // namespace wattloop::twin
