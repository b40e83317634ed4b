"""Training jobs with mistakes: scenarios with failures by chance, spare nodes, lost nodes and slow GPUs. Used by scripts/attack.

The first halves of the lists are valid; mostly these are drawn.
"""

HALL = """extends: {scenarios}/h100_10k.yaml
duration: {duration}
hall:
  racks: {{ count: 4, rows: 2, nodes: {nodes} }}
  network: {{ racks: 1 }}
workload:
  kind: training
"""
TIMES = ["0 s", "1 s", "7.5 s", "20 s", "2 min", "1e-9 s", "1e9 s", "-1 s", "", "banana", "3 W"]
WORK = {
    "coupling": ["slowest_gpu", "none", "slowest", "null"],
    "detection_time": TIMES,
    "restart_time": TIMES,
    "spare_nodes": ["0", "1", "1", "1", "2", "3", "15", "16", "1e9", "-1", "1.5", "nan", "one", "{}"],
    "sample_interval": ["1 s", "250 ms", "2.5 s", "1 min", "15 min", "0 s", "1e-6 s", "-1 s"],
    "step_time": ["10.765 s", "1 s", "0.5 s", "100 s", "0 s", "1e9 s", "nan s", "1e-9 s"],
    "communication_share": ["0", "0.056", "50 %", "1.5", "1", "-0.1"],
    "evaluation_time": ["0 s", "13 s", "1e6 s"],
    "checkpoint_time": ["0 s", "2 s", "16 s", "1e6 s", "-1 s"],
    "checkpoint_interval": ["10 s", "30 s", "1 s", "15 min", "0 s"],
    "pipeline_stages": ["1", "8", "2", "0", "1000", "-1"],
    "start_ramp": ["0 s", "5 s", "20 s", "1e9 s"],
    "compute_gpu_power": ["613 W", "700 W", "500 W", "50 W", "1 kW", "0 W"],
}
MEAN_TIMES = ["30 s", "100 s", "1000 s", "1 h", "1 d", "54 d", "1 s", "1e-9 s", "0 s", "-1 s", "1e300 s", "inf s", "nan", ""]
RATES = ["llama3_16k", "llama3_16k", "llama3_16k", "llama3_16k", "llama_16k", "no_such_file", "[]", "{ kinds: {} }", "{ kinds: [] }"]
NODES = ["row_1.rack_1.node_1", "row_1.rack_1.node_1.gpu_8", "row_1.rack_1.node_1.gpu_1", "row_2.rack_2.node_1.gpu_5", "row_1.rack_1.node_*",
         "row_*.rack_*.node_*", "row_1.rack_1.node_1.gpu_*", "row_1.rack_2.node_2", "row_1.rack_3", "row_1.rack_1.node_9",
         "row_1.rack_1.node_1.gpu_9", "node_1", "row_1.rack_1.node_0", "row_1.rack_1.node_1.gpu_1.core_1", "[row_1.rack_1.node_1, row_1.rack_2.node_1]", "[]", "null"]
GPUS = ["row_1.rack_1.node_1.gpu_8", "row_1.rack_1.node_1.gpu_1", "row_2.rack_2.node_1.gpu_*", "row_*.rack_*.node_1.gpu_2", "row_1.rack_1.node_1",
        "row_2.rack_3.node_1.gpu_1", "gpu_1", "*"]
PACES = ["75 %", "1 %", "100 %", "99 %", "0.5", "50 %", "0 %", "101 %", "-5 %", "33.3 %", "nan", "1 W"]
LIMITS = ["500 W", "300 W", "600 W", "200 W", "70 W", "0 W", "700 W", "1 kW", "-1 W"]
SPANS = ["1 s", "7 s", "20 s", "1e9 s", "0 s", "-1 s"]
ACTIONS = ["fail", "fail", "restore", "slow", "slow", "set", "open", "fial", "close", "slow", "set"]


def drawn(rng, values):
    return rng.choice(values[:len(values) // 2] if rng.random() < 0.94 else values)


def failures(rng):
    takes = ["", ", takes_node: false", ", takes_node: true", ", takes_node: 1", ", takes_node: maybe", ", takes: true"]
    kinds = [f"kind_{k}: {{ mean_time: {drawn(rng, MEAN_TIMES)}{drawn(rng, takes)} }}" for k in range(rng.choice([1, 1, 2, 3]))]
    rates = drawn(rng, RATES) if rng.random() < 0.3 else "{ kinds: { " + ", ".join(kinds) + " } }"
    repair = f", repair: {drawn(rng, ['5 s', '20 s', '1 min', '12 h', '0 s', '-1 s', '1e300 s', 'soon'])}" if rng.random() < 0.7 else ""
    return f"{{ rates: {rates}{repair} }}"


def event(rng):
    at = drawn(rng, ["0 s", "1 s", "10 s", "17.3 s", "30 s", "60 s", "39.9 s", "1e9 s"])
    action = drawn(rng, ACTIONS)
    if action == "set":
        text = f"at: {at}, set: racks.gpu_power_limit, to: {drawn(rng, LIMITS)}"
    else:
        text = f"at: {at}, {action}: {drawn(rng, GPUS if action == 'slow' else NODES)}"
        if (action == "slow") != (rng.random() < 0.05):
            text += f", to: {drawn(rng, PACES)}"
    if rng.random() < 0.4 and action != "restore":
        text += f", for: {drawn(rng, SPANS)}"
    if rng.random() < 0.05:
        text += f", every: {rng.choice(['10 s', '1 d', '0 s'])}"
    return "{ " + text + " }"


def hall(scenarios, duration, nodes):
    return HALL.format(scenarios=scenarios, duration=duration, nodes=nodes)


def scenario(rng, scenarios):
    """A small hall at training."""
    text = hall(scenarios, rng.choice(["40 s", "90 s", "3 min"]), rng.choice([1, 2, 4]))
    for key in rng.sample(sorted(WORK), rng.choice([0, 1, 2, 4])):
        text += f"  {key}: {drawn(rng, WORK[key])}\n"
    if rng.random() < 0.6:
        text += f"  failures: {failures(rng)}\n"
    events = [event(rng) for _ in range(rng.choice([0, 1, 2, 4]))]
    return text + ("events:\n" + "".join(f"  - {one}\n" for one in events) if events else "")


def improbable(file):
    """What figures of a job must not say, else an empty text: its times are parts of the run, and add up to it but for a ramp at its begin."""
    import h5py
    with h5py.File(file, "r") as results:
        summary = results["summary"]
        if "job_steps" not in summary:
            return ""
        time_s = float(summary["simulated_time"][()])
        parts = {name: float(summary[f"job_{name}_time"][()]) for name in ("slowed", "stopped", "redone")}
        ratio = float(summary["job_effective_time_ratio"][()])
    tolerance_s = 1e-6 * time_s
    for name, part_s in parts.items():
        if not -tolerance_s <= part_s <= time_s + tolerance_s:
            return f"a job {name} for {part_s:.6g} s of {time_s:.6g} s"
    if not -1e-9 <= ratio <= 1.0 + 1e-9:
        return f"an effective time ratio of {ratio:.9g}"
    sum_s = ratio * time_s + sum(parts.values())
    has_ramp = "start_ramp" in file.with_suffix(".yaml").read_text(encoding="latin-1")
    if abs(sum_s - time_s) > tolerance_s and not has_ramp:
        return f"times of a job that add up to {sum_s:.9g} s of {time_s:.9g} s"
    return ""
