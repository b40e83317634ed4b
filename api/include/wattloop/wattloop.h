/* Halls for C, and for all that calls C: Julia, Rust, Fortran, co-simulation. What functions do is said in wattloop/hall.hpp; numbers are SI,
 * times are seconds from the start of the scenario.
 *
 *   wattloop_error* error = NULL;
 *   wattloop_hall* hall = wattloop_hall_open("h100_10k.yaml", NULL, &error);
 *   wattloop_series dies;
 *   wattloop_find_series(hall, "gpus", "die_temperature", &dies, &error);
 *   wattloop_advance_to(hall, 600.0, &error);
 *   size_t count = wattloop_value_count(hall, dies);
 *   wattloop_get_values(hall, dies, die_temperature_k, count, &error);
 *   wattloop_hall_free(hall);
 *
 * A function that may fail returns a status, or NULL for an object, and leaves an error at `error`, which may be NULL and is the caller's to
 * free. The hall is then as it was, but after WATTLOOP_SOLVER_ERROR: it can be looked at and goes no further. Each hall is used by one thread
 * at a time; there is no state besides. Texts that a function returns are freed by wattloop_free. */
#ifndef WATTLOOP_H
#define WATTLOOP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef enum {
  WATTLOOP_OK = 0,
  WATTLOOP_INPUT_ERROR = 1,  /* a scenario, an act, a name or a number is wrong */
  WATTLOOP_SOLVER_ERROR = 2, /* the run has no trustworthy answer from here on */
  WATTLOOP_FILE_ERROR = 4,   /* a file could not be read or written, or is of another program */
  WATTLOOP_USAGE_ERROR = 5   /* a hall of another process, from two threads at once, after an error; a NULL, an array that is too short */
} wattloop_status;

typedef struct wattloop_hall wattloop_hall;
typedef struct wattloop_error wattloop_error;

/* A handle of a column of a table, of all its items or of one; it holds for the hall and its forks. */
typedef struct {
  size_t table, column, item, layout;
} wattloop_series;

/* Entries that are NULL or 0 are as in wattloop/hall.hpp. */
typedef struct {
  const char* const* set; /* set_count texts "path=value" */
  size_t set_count;
  const char* const* events; /* event_count texts "at: 10 min, fail: cdu_1" */
  size_t event_count;
  const char* integrator;
  int threads;
} wattloop_options;

/* Version of the library, as "0.2.0"; never freed. */
const char* wattloop_version(void);

/* Errors. The text holds all that is wrong, with places and hints, and lives as long as the error. */
wattloop_status wattloop_error_status(const wattloop_error* error);
const char* wattloop_error_text(const wattloop_error* error);
void wattloop_error_free(wattloop_error* error);
void wattloop_free(char* text);

/* Halls. */
wattloop_hall* wattloop_hall_open(const char* scenario, const wattloop_options* options, wattloop_error** error);
wattloop_hall* wattloop_hall_from_text(const char* text, const char* name, const wattloop_options* options, wattloop_error** error);
wattloop_hall* wattloop_hall_from_snapshot(const char* bytes, size_t size, const wattloop_options* options, wattloop_error** error);
wattloop_hall* wattloop_hall_fork(const wattloop_hall* hall, wattloop_error** error);
void wattloop_hall_free(wattloop_hall* hall);

/* Time, and what happens in it. Times are not a number where they cannot be read: without a hall, in another process, or while another thread
   uses it. */
double wattloop_time_s(const wattloop_hall* hall);
double wattloop_end_s(const wattloop_hall* hall);
wattloop_status wattloop_advance_to(wattloop_hall* hall, double time_s, wattloop_error** error);
wattloop_status wattloop_act(wattloop_hall* hall, const char* event, wattloop_error** error);
wattloop_status wattloop_set(wattloop_hall* hall, const char* input, double value, wattloop_error** error);
/* "gpus.power": watts asked of every GPU from now on, in the order of the table `gpus`. */
wattloop_status wattloop_set_array(wattloop_hall* hall, const char* input, const double* values, size_t size,
                                   wattloop_error** error);

/* What is measured now. `part_and_column`: "cdu_3.return_temperature". wattloop_get_values writes all values of the series into an array of
 * `size` numbers, which has room for wattloop_value_count at least. */
wattloop_status wattloop_find_series(const wattloop_hall* hall, const char* table, const char* column, wattloop_series* series,
                                     wattloop_error** error);
wattloop_status wattloop_find_part_series(const wattloop_hall* hall, const char* part_and_column, wattloop_series* series,
                                          wattloop_error** error);
size_t wattloop_value_count(const wattloop_hall* hall, wattloop_series series);
wattloop_status wattloop_get_values(wattloop_hall* hall, wattloop_series series, double* values, size_t size, wattloop_error** error);
wattloop_status wattloop_get_value(wattloop_hall* hall, wattloop_series series, double* value, wattloop_error** error);
char* wattloop_series_unit(const wattloop_hall* hall, wattloop_series series, wattloop_error** error);

/* Everything that there is, as JSON: {"series": [...], "parts": [...], "inputs": [...]}; what happened, from event number `first` on; the
 * summary of a run that ends now. */
char* wattloop_describe_json(const wattloop_hall* hall, wattloop_error** error);
char* wattloop_events_json(const wattloop_hall* hall, size_t first, wattloop_error** error);
char* wattloop_summary_json(const wattloop_hall* hall, wattloop_error** error);

/* The scenario with every act as an event; the state as bytes, *size of them; a results file of the run from its start on. */
char* wattloop_scenario(const wattloop_hall* hall, wattloop_error** error);
wattloop_status wattloop_save_scenario(const wattloop_hall* hall, const char* file, wattloop_error** error);
char* wattloop_snapshot(const wattloop_hall* hall, size_t* size, wattloop_error** error);
wattloop_status wattloop_record_to(wattloop_hall* hall, const char* results, wattloop_error** error);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
