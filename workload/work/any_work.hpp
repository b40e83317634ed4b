// Parameters of work of one kind, whichever it is. Knows no kind, so that a new one (workload/workload_kinds.hpp) is seen by no file that holds
// one of these.
#pragma once

#include <any>
#include <concepts>
#include <string_view>
#include <utility>

#include "workload/work/workload_kind.hpp"

namespace wattloop::workload {

class AnyWork {
 public:
  template <WorkloadKind Kind>
  AnyWork(Kind params) : params_(std::move(params)), said_(&said_of<Kind>) {}

  /// The parameters if they are of that kind; else null.
  template <class Kind>
  const Kind* get() const {
    return std::any_cast<Kind>(&params_);
  }
  template <class Kind>
  Kind* get() {
    return std::any_cast<Kind>(&params_);
  }

  std::string_view kind() const { return said_->kind; }
  std::string_view noun() const { return said_->noun; }
  WattsContain contents() const { return said_->contents(params_); }
  MadeWork make(const WorkRequest& request, Problems& problems) const {
    return said_->make(params_, request, problems);
  }

 private:
  /// What a kind says, behind its type.
  struct Said {
    std::string_view kind, noun;
    WattsContain (*contents)(const std::any& params);
    MadeWork (*make)(const std::any& params, const WorkRequest& request, Problems& problems);
  };
  template <class Kind>
  static constexpr Said said_of{
      .kind = Kind::kind,
      .noun = Kind::noun,
      .contents = [](const std::any& params) -> WattsContain {
        const auto& own = std::any_cast<const Kind&>(params);
        return {own.contains_leakage(), own.contains_fans()};
      },
      .make = [](const std::any& params, const WorkRequest& request,
                 Problems& problems) { return make_work(std::any_cast<const Kind&>(params), request, problems); },
  };

  std::any params_;
  const Said* said_;
};

}  // namespace wattloop::workload
