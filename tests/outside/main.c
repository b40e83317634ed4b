/* A program of somebody else in C: loses a CDU in one of two equal halls, and prints how much warmer its hottest die is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wattloop/wattloop.h>

static void demand(int holds, const char* what, wattloop_error* error) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", what, wattloop_error_text(error));
  exit(1);
}

static double hottest_k(wattloop_hall* hall, wattloop_series dies) {
  const size_t count = wattloop_value_count(hall, dies);
  double* values = malloc(count * sizeof *values);
  double hottest = 0.0;
  size_t k;
  wattloop_error* error = NULL;
  demand(wattloop_get_values(hall, dies, values, count - 1, &error) == WATTLOOP_USAGE_ERROR, "too short an array is refused", error);
  wattloop_error_free(error);
  demand(wattloop_get_values(hall, dies, values, count, &error) == WATTLOOP_OK, "values", error);
  for (k = 0; k < count; ++k) {
    if (values[k] > hottest) hottest = values[k];
  }
  free(values);
  return hottest;
}

int main(int count, char** arguments) {
  const char* set[] = {"duration=2 min"};
  const wattloop_options options = {set, 1, NULL, 0, NULL, 0};
  wattloop_error* error = NULL;
  wattloop_hall *hall, *lost, *again;
  wattloop_series dies;
  char *bytes, *events, *unit;
  size_t size = 0;
  hall = wattloop_hall_open(count > 1 ? arguments[1] : "one_rack.yaml", &options, &error);
  demand(hall != NULL, "open", error);
  demand(wattloop_find_series(hall, "gpus", "die_temperature", &dies, &error) == WATTLOOP_OK, "series", error);
  unit = wattloop_series_unit(hall, dies, &error);
  demand(unit != NULL && strcmp(unit, "K") == 0, "unit", error);
  demand(wattloop_advance_to(hall, 30.0, &error) == WATTLOOP_OK, "advance", error);
  lost = wattloop_hall_fork(hall, &error);
  demand(lost != NULL, "fork", error);
  demand(wattloop_act(lost, "fail: cdu_9", &error) == WATTLOOP_INPUT_ERROR, "an unknown part is refused", error);
  demand(strstr(wattloop_error_text(error), "cdu_1") != NULL, "the nearest name is said", error);
  wattloop_error_free(error);
  demand(wattloop_act(lost, "fail: cdu_1", &error) == WATTLOOP_OK, "act", error);
  bytes = wattloop_snapshot(lost, &size, &error);
  demand(bytes != NULL && size > 1000, "snapshot", error);
  again = wattloop_hall_from_snapshot(bytes, size, &options, &error);
  demand(again != NULL, "from snapshot", error);
  demand(wattloop_advance_to(hall, 120.0, &error) == WATTLOOP_OK, "advance", error);
  demand(wattloop_advance_to(lost, 120.0, &error) == WATTLOOP_OK, "advance", error);
  demand(wattloop_advance_to(again, 120.0, &error) == WATTLOOP_OK, "advance", error);
  demand(hottest_k(lost, dies) == hottest_k(again, dies), "a snapshot goes on as the hall", NULL);
  events = wattloop_events_json(lost, 0, &error);
  demand(events != NULL && strstr(events, "\"target\":\"cdu_1") != NULL, events == NULL ? "events" : events, error);
  printf("%.3f\n", hottest_k(lost, dies) - hottest_k(hall, dies));
  wattloop_free(unit);
  wattloop_free(events);
  wattloop_free(bytes);
  wattloop_hall_free(again);
  wattloop_hall_free(lost);
  wattloop_hall_free(hall);
  return 0;
}
