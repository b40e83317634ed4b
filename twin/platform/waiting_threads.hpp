// Threads that wait for one another sleep, so that other work on the machine goes on.
#pragma once

namespace wattloop::twin {

/// Starts the program again with `OMP_WAIT_POLICY=passive`, unless the environment says what waiting threads do: OpenMP
/// reads that when a program is loaded and not later. Without it, threads spin, for twice the CPU time and no gain
/// (docs/performance.md). `arguments` are those of main. Returns where there is nothing to do or no way to do it.
void let_waiting_threads_sleep(char** arguments);

}  // namespace wattloop::twin
