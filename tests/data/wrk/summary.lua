-- Prints a few more figures after the report, one JSON object at the end.
function done(summary, latency, requests)
  io.write("------------------------------\n")
  for _, p in ipairs({ 50, 90, 95, 99, 99.9, 99.99 }) do
    io.write(string.format("%g%% %d us\n", p, latency:percentile(p)))
  end
  io.write(string.format('{"requests": %d, "duration_us": %d, "bytes": %d, "min_us": %d, "mean_us": %.2f, "max_us": %d, "timeout": %d}\n',
    summary.requests, summary.duration, summary.bytes, latency.min, latency.mean, latency.max, summary.errors.timeout))
end
