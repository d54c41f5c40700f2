r"""The lines of JMeter's summariser, on the console or in `jmeter.log`.

    summary +    421 in 00:00:06 =   75.3/s Avg:    52 Min:     0 Max:  1040 Err:    41 (9.74%) …
    summary =    422 in 00:00:07 =   63.6/s Avg:    53 Min:     0 Max:  1040 Err:    41 (9.72%)

`+` is what came since the line before, `=` all so far: the last one is the run. A followed
redirect, a page with what it embeds, is one sample; transactions are none. Latencies are whole
milliseconds, the mean is cut off to them. `Err` counts samples that failed: without an answer,
with a status from 400 on, by an assertion. Time and rate are of the whole test, from its start,
before the first request, to its end; the rate counts failed samples, too.

Without a sample `Min` and `Max` are the largest and smallest number there is, and no latency.

Source: Apache JMeter 2.8 to 5.6.3 `Summariser.java` (format, testEnded),
`SummariserRunningSample.java`; `JMeter.java` (runNonGui).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from benchkit import units
from benchkit.errors import InputError, Where
from benchkit.parsing import RunOrError, RunRecord, TextParser
from benchkit.text import Text

from ._grammar import Grammar, Report
from ._line import Line, ReportLine, Slot


def _decimal(printed: str) -> float:
    return units.number(printed.replace(",", "."))


def _clock(printed: str) -> float:
    if ":" not in printed:
        return _decimal(printed.removesuffix("s"))
    hours, minutes, seconds = map(int, printed.split(":"))
    return 3600.0 * hours + 60 * minutes + seconds


_SLOTS: Final = {
    "samples": Slot("a count", "[0-9]++", units.whole, exact=True),
    "none": Slot("no sample", "0", units.whole, exact=True),
    "clock": Slot("a time", r"(?:[0-9]{2,}+(?::[0-9]{2}){2}|[0-9]++(?:[.,][0-9])?s)", _clock),
    "rate": Slot("a rate", r"(?:[0-9]++[.,][0-9]|\**+)/s", exact=True),
    "ms": Slot("milliseconds", "-?[0-9]++", lambda text: units.scaled(text, "1e-3")),
    "share": Slot("a percentage", r"[0-9]++[.,][0-9]{2}%", exact=True, ended="%$"),
}
#: How summarisers are called: that of the command line, and those of plans by default.
_NAME: Final = r"(?:summary|Generate Summary Results)"
_FIGURES: Final = (
    "{count:samples} in ?{spent:clock} = ?{rate:rate} Avg: ?{mean:ms} Min: ?{min:ms} "
    r"Max: ?{max:ms} Err: ?{failed:samples} \({share:share}\)"
)

STARTED: Final = Line(
    "Starting standalone test @ {date:rest}",
    "Starting the test @ {date:rest}",
    repeats=True,
    foreign=6,
)
DELTA: Final = Line(
    rf"{_NAME} \+ {_FIGURES}(?: Active: {{active:samples}} Started: {{started:samples}} "
    r"Finished: {finished:samples})?",
    slots=_SLOTS,
    again=True,
    foreign=40,
    has="summary",
)
TOTAL: Final = Line(
    rf"{_NAME} = {_FIGURES}",
    # Of no sample: what stands behind the time, a rate of ******, is taken for emphasis.
    rf"{_NAME} = {{count:none}} in ?{{spent:clock}}",
    slots=_SLOTS,
    again=True,
    foreign=40,
    has="summary",
)
TIDYING: Final = Line(r"Tidying up (?:\.\.\.|remote) @ {date:rest}", foreign=40)

REPORT: Final = Grammar(
    STARTED,
    DELTA,
    TOTAL,
    TIDYING,
    begins={STARTED: (DELTA, TOTAL), DELTA: (), TOTAL: ()},
    head=STARTED,
    end=TIDYING,
    markers=("summary", "Generate Summary Results"),
)
_ABORTED: Final = "Error in NonGUIDriver"


def scan(text: Text) -> Iterator[RunOrError]:
    """Yield the runs of a text, and what broke off before there was one."""
    for report in REPORT.reports(text):
        yield from _runs(report)
    for number, line in enumerate(text.lines):
        if _ABORTED in line:
            yield InputError(
                "a run of JMeter",
                actual=f"one that it gave up before the first request: {line.strip()[:200]}",
                where=Where(line=number + 1),
                hint="correct the plan or the command, and run it again",
            )


def _runs(report: Report) -> Iterator[RunOrError]:
    """Yield a run for each stretch in which the total does not fall."""
    stretches: list[list[ReportLine]] = [[]]
    highest = 0.0
    for line in report.lines:
        if line.line is TOTAL:
            count = line.read("count")
            if count < highest:
                stretches.append([])
            highest = count
        stretches[-1].append(line)
    for at, lines in enumerate(stretches):
        first = report.span[0] if at == 0 else lines[0].number
        last = report.span[1] if at == len(stretches) - 1 else lines[-1].number
        yield _run(lines, (first, last))


def _run(lines: Sequence[ReportLine], span: tuple[int, int]) -> RunOrError:
    total = next((line for line in reversed(lines) if line.line is TOTAL), None)
    deltas = [line for line in lines if line.line is DELTA]
    below = [line for line in lines if line.line is not TIDYING]
    goes_on = bool(deltas) and deltas[-1]["active"] not in {"", "0"}
    if total is None or below[-1] is not total or goes_on:
        return InputError(
            "the line 'summary =' of a whole run of JMeter",
            actual="only lines of parts of it" if below else "only its beginning",
            where=Where(line=span[1] + 1),
            hint="the run was stopped before its end; use its results file (-l)",
        )
    record = RunRecord(lines=span)
    try:
        _fill(record, total)
    except InputError as error:
        return error
    return record


def _fill(record: RunRecord, total: ReportLine) -> None:
    requests = int(total.read("count"))
    record.columns["requests"] = requests
    if not requests:
        record.notes.append("no sample: the other figures of the line stand for nothing")
        return
    failed = int(total.read("failed"))
    record.columns["success_ratio"] = max(requests - failed, 0) / requests
    total.keep(record, "Err", "total", "failed")
    total.keep(record, "time", "total", "spent", unit="s")
    rate = total["rate"].removesuffix("/s")
    if failed == requests:
        record.notes.append(
            "all samples failed, and nothing tells whether any was answered: rate and latencies "
            "are left out"
        )
        for metric, slot in (("Avg", "mean"), ("Min", "min"), ("Max", "max")):
            total.keep(record, metric, slot, slot, unit="s")
        return
    columns = {"latency_min_s": "min", "latency_mean_s": "mean", "latency_max_s": "max"}
    record.columns |= {column: total.read(slot) for column, slot in columns.items()}
    if re.match("[0-9]", rate):
        throughput = _decimal(rate)
        record.columns |= {
            "throughput_rps": throughput,
            "goodput_rps": throughput * record.columns["success_ratio"],
        }
    if failed:
        record.notes.append(
            f"{failed:,} of {requests:,} samples failed; the rate counts them, answered or not"
        )
    else:
        record.columns["errors"] = 0


PARSERS: Final = (
    TextParser(
        name="jmeter-summariser",
        tool="jmeter",
        reads="the lines of the summariser, on the console or in jmeter.log",
        versions="2.8 on",
        fills=("requests",),
        may_fill=(
            *("errors", "success_ratio", "throughput_rps", "goodput_rps"),
            *("latency_min_s", "latency_mean_s", "latency_max_s"),
        ),
        when={"errors": "where no sample failed"},
        constants={
            "load_model": "closed",
            "correction": "none",
            "resolution_s": 1e-3,
            "clock": "connect-to-last-byte",
        },
        # The mean is cut off to its step.
        steps={"latency_mean_s": 2e-3},
        markers=(*REPORT.markers, _ABORTED),
        scan=scan,
    ),
)
