#include "twin/clusters/hand_out.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

/// Few enough for a folder, many enough that processes end within 3 % of each other.
constexpr std::size_t chunks_of_process = 32;

}  // namespace

HandOut::HandOut(HandOutShare share, const Claims* claims)
    : share_(std::move(share)),
      claims_(claims),
      runs_(share_.is_done.size() - 1),
      chunks_(std::min(runs_, share_.count * chunks_of_process)) {
  for (std::size_t chunk = share_.number; chunk < chunks_; chunk += share_.count) order_.push_back(chunk);
  if (claims_ == nullptr) return;
  for (std::size_t step = 1; step < share_.count; ++step) {  // of others from their end on
    const std::size_t other = (share_.number + step) % share_.count, own = order_.size();
    for (std::size_t chunk = other; chunk < chunks_; chunk += share_.count) order_.push_back(chunk);
    std::reverse(order_.begin() + static_cast<std::ptrdiff_t>(own), order_.end());
  }
}

bool HandOut::has_missing(std::size_t chunk) const {
  for (std::size_t run = chunk + 1; run <= runs_; run += chunks_) {
    if (!share_.is_done[run]) return true;
  }
  return false;
}

bool HandOut::is_ours(std::size_t chunk) const {
  if (!has_missing(chunk)) return false;
  return claims_ == nullptr || claims_->take(fmt::format("{}", chunk));
}

std::optional<std::size_t> HandOut::next() {
  const std::scoped_lock lock(mutex_);
  while (true) {
    if (run_ == 0) {
      while (at_ < order_.size() && !is_ours(order_[at_])) ++at_;
      if (at_ == order_.size()) return {};
      run_ = order_[at_] + 1;
    }
    for (; run_ <= runs_; run_ += chunks_) {
      if (share_.is_done[run_]) continue;
      const std::size_t found = run_;
      run_ += chunks_;
      if (run_ > runs_) {
        run_ = 0;
        ++at_;
      }
      return found;
    }
    run_ = 0;
    ++at_;
  }
}

}  // namespace wattloop::twin
