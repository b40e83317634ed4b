// CPU time of an hour of a hall in pieces of a second with three values read after each: what `bench/python_hall` compares Python with.
#include <cstdio>
#include <ctime>

#include <wattloop/wattloop.hpp>

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: bench_library_hall SCENARIO\n", stderr);
    return 2;
  }
  wattloop::Hall hall(words[1], {.set = {"duration=2 h"}});
  hall.advance_to(300.0);
  const wattloop::Series read[] = {hall.series("cdu_3.return_temperature"), hall.series("facility.pue"),
                                   hall.series("loop_1.supply_temperature")};
  double sum = 0.0;
  const std::clock_t begin = std::clock();
  for (int second = 1; second <= 3600; ++second) {
    hall.advance_to(300.0 + second);
    for (const wattloop::Series& series : read) sum += hall.value(series);
  }
  std::printf("%.4f s of CPU, sum of values %.10g\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, sum);
}
