// Things that are joined two by two, directly or through others.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace wattloop {

class Joined {
 public:
  /// So many, none joined yet.
  explicit Joined(std::size_t count = 0) : to_(count) { std::iota(to_.begin(), to_.end(), std::size_t{0}); }

  void join(std::size_t one, std::size_t other) { to_[root(one)] = root(other); }
  bool are(std::size_t one, std::size_t other) const { return root(one) == root(other); }

  /// One of all that are joined to it, the same for each of them.
  std::size_t root(std::size_t one) const {
    while (to_[one] != one) one = to_[one];
    return one;
  }

 private:
  std::vector<std::size_t> to_;
};

}  // namespace wattloop
