#include "twin/results/schema/pipe_polylines.hpp"

#include <algorithm>
#include <string>

namespace wattloop::twin {
namespace {

using Point = std::array<double, 3>;

constexpr double touching_m = 0.01;

/// The axis of a pipe: along the longest edge of its box, which reaches beyond the axis by half the pipe's
/// diameter.
struct Pipe {
  Point begin_m{}, end_m{};
  std::size_t along = 0;
  bool is_walked = false;
};

Pipe axis_of(const LayoutBox& box) {
  const auto longest = std::max_element(box.size_m.begin(), box.size_m.end());
  Pipe pipe{box.centre_m, box.centre_m, std::size_t(longest - box.size_m.begin()), false};
  const double diameter_m = *std::min_element(box.size_m.begin(), box.size_m.end());
  pipe.begin_m[pipe.along] -= (*longest - diameter_m) / 2;
  pipe.end_m[pipe.along] += (*longest - diameter_m) / 2;
  return pipe;
}

bool lies_on(const Pipe& pipe, const Point& point_m) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (point_m[axis] < pipe.begin_m[axis] - touching_m || point_m[axis] > pipe.end_m[axis] + touching_m) return false;
  }
  return true;
}

struct Branch {
  Point at_m{};
  std::size_t pipe = 0;
};

/// Walks the pipes of one loop.
class Walker {
 public:
  explicit Walker(std::vector<Pipe> pipes) : pipes_(std::move(pipes)) {}

  Polyline walk() && {
    for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe)
      if (!pipes_[pipe].is_walked) walk(pipe, pipes_[pipe].begin_m);
    return std::move(line_);
  }

 private:
  /// From a point on a pipe to its beginning, to its end with all branches on the way, and back.
  void walk(std::size_t pipe, const Point& from_m) {
    pipes_[pipe].is_walked = true;
    go_to(from_m);
    go_to(pipes_[pipe].begin_m);
    for (const Branch& branch : branches_of(pipe)) {
      if (pipes_[branch.pipe].is_walked) continue;
      go_to(branch.at_m);
      walk(branch.pipe, branch.at_m);
      go_to(branch.at_m);
    }
    go_to(pipes_[pipe].end_m);
    go_to(from_m);
  }

  /// Pipes that begin or end on this one, from its beginning to its end.
  std::vector<Branch> branches_of(std::size_t pipe) const {
    std::vector<Branch> branches;
    for (std::size_t other = 0; other < pipes_.size(); ++other) {
      if (pipes_[other].is_walked) continue;
      for (const Point& end_m : {pipes_[other].begin_m, pipes_[other].end_m})
        if (lies_on(pipes_[pipe], end_m)) branches.push_back({end_m, other});
    }
    const std::size_t along = pipes_[pipe].along;
    std::stable_sort(branches.begin(), branches.end(),
                     [&](const Branch& a, const Branch& b) { return a.at_m[along] < b.at_m[along]; });
    return branches;
  }

  void go_to(const Point& point_m) {
    if (line_.empty() || line_.back() != point_m) line_.push_back(point_m);
  }

  std::vector<Pipe> pipes_;
  Polyline line_;
};

}  // namespace

std::vector<Polyline> pipe_polylines(std::span<const LayoutBox> boxes, std::string_view kind) {
  std::vector<std::string> loops;
  std::vector<std::vector<Pipe>> pipes;
  for (const LayoutBox& box : boxes) {
    if (box.kind != kind) continue;
    const auto found = std::find(loops.begin(), loops.end(), box.parent);
    const std::size_t loop = std::size_t(found - loops.begin());
    if (found == loops.end()) {
      loops.push_back(box.parent);
      pipes.emplace_back();
    }
    pipes[loop].push_back(axis_of(box));
  }
  std::vector<Polyline> lines;
  for (std::vector<Pipe>& of_loop : pipes) lines.push_back(Walker(std::move(of_loop)).walk());
  return lines;
}

}  // namespace wattloop::twin
