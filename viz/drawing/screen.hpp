// The display on which windows stand: of a person, never one of our own.
#pragma once

namespace wattloop::viz {

/// Throws `FileError` that says what to do where `$DISPLAY` names no display that answers: VTK would end the program.
void demand_screen();

}  // namespace wattloop::viz
