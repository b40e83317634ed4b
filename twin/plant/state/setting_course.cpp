#include "twin/plant/state/setting_course.hpp"

#include <algorithm>

namespace wattloop::twin {

double Ramp::at(double t_s) const {
  if (t_s >= end_s) return to;
  return from + (t_s - start_s) / (end_s - start_s) * (to - from);
}

double SettingCourse::at(double t_s) const {
  double value = lasting.at(t_s);
  for (const TemporarySetting& setting : temporary) {
    if (t_s >= setting.gone_s) continue;
    const double own = setting.ramp.at(t_s);
    const bool is_leaving = t_s > setting.leaves_s;
    value = is_leaving ? own + (t_s - setting.leaves_s) / (setting.gone_s - setting.leaves_s) * (value - own) : own;
  }
  return value;
}

bool SettingCourse::moves_after(double t_s) const {
  return lasting.end_s > t_s || std::any_of(temporary.begin(), temporary.end(), [t_s](const TemporarySetting& setting) {
           return setting.ramp.end_s > t_s || (setting.leaves_s <= t_s && setting.gone_s > t_s);
         });
}

void set_lasting(SettingCourse& course, double value, double now_s, double over_s) {
  course.lasting = {course.at(now_s), value, now_s, now_s + over_s};
  course.temporary.clear();
  course.is_set = true;
}

void set_temporary(SettingCourse& course, std::size_t pair, const Ramp& ramp) {
  course.temporary.push_back({.pair = pair, .ramp = ramp});
}

bool end_temporary(SettingCourse& course, std::size_t pair, double now_s, double over_s) {
  const auto found = std::find_if(course.temporary.begin(), course.temporary.end(),
                                  [pair](const TemporarySetting& setting) { return setting.pair == pair; });
  if (found == course.temporary.end()) return false;
  const double own = found->ramp.at(now_s);  // it leaves from where it has come to
  found->ramp = {own, own, now_s, now_s};
  found->leaves_s = now_s;
  found->gone_s = now_s + over_s;
  drop_gone(course, now_s);
  return true;
}

void drop_gone(SettingCourse& course, double now_s) {
  std::erase_if(course.temporary, [now_s](const TemporarySetting& setting) { return now_s >= setting.gone_s; });
}

}  // namespace wattloop::twin
