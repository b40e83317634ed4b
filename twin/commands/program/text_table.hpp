// Tables for terminals: a first column of names, and columns of values beside it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wattloop::twin {

/// Names stand left, values right. Where a table would be wider than `width`, names that are too long for what is left stand on a line of
/// their own, above their values.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head, std::size_t width = 80);
  void add(std::vector<std::string> row);  ///< as many cells as the head has
  bool empty() const { return rows_.size() < 2; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t width_;
};

/// Letters on the screen: bytes of UTF-8 that begin one.
std::size_t shown_length(const std::string& text);

}  // namespace wattloop::twin
