// A program of somebody else: loses a CDU in one of two equal halls, and prints how much warmer its hottest die is.
#include <algorithm>
#include <cstdio>

#include <wattloop/wattloop.hpp>

int main(int count, char** arguments) {
  try {
    wattloop::Hall hall(count > 1 ? arguments[1] : "one_rack.yaml", {.set = {"duration=2 min"}});
    hall.advance_to(30.0);
    wattloop::Hall lost = hall.fork();
    lost.act("fail: cdu_1");
    const wattloop::Series dies = hall.series("gpus", "die_temperature");
    for (wattloop::Hall* one : {&hall, &lost}) one->advance_to(120.0);
    std::printf("%.3f\n", std::ranges::max(lost.values(dies)) - std::ranges::max(hall.values(dies)));
  } catch (const wattloop::InputError& error) {
    for (const wattloop::Problem& problem : error.problems()) std::printf("%s\n", problem.message.c_str());
    return 1;
  }
}
