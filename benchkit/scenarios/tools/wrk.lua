-- wrk with its whole histogram of latencies: its report prints four quantiles of it.
--
--   BK_WRK_HISTOGRAM=histogram.csv wrk --latency -s wrk.lua [wrk's options] URL
--
-- It changes no request. The file (`wrk-histogram.csv` where the variable is not set) begins with
-- `wrk-histogram,1`, the name of the format and its version; then come lines of name and value up to
-- the header of the table, `latency_us,samples,measured`. A value that is not known is empty.
--
--   duration_us, requests, bytes       as in the report, unrounded
--   connect_errors, read_errors, write_errors, timeouts, status_errors
--   interval_us                        interval to which wrk corrected; empty where it cannot be told
--   samples                            counts of the histogram, those that wrk added included
--   measured                           of these, latencies of requests; empty where it cannot be told
--   min_us, max_us, mean_us, stdev_us  of all samples, as wrk computes them
--   p1 ... p99.999                     the same, in microseconds, up to one sample from the end
--   measured_mean_us, measured_p50 ... of what was measured
--   steps                              to how many steps per doubling the table's latencies are rounded
--
-- Before it prints, wrk 4 adds samples for requests that a slow answer kept it from sending: for each
-- latency above twice the interval, that latency less one interval, less two, and so on, while more
-- than an interval is left. The interval is the run time over the requests of a connection. From the
-- largest down this can be undone: what lies at m is what was measured there and all that lies at
-- m + interval. It is done where it leaves exactly as many samples as requests were answered in time.
-- In the folder BK_WORK, if that is set, load.start and load.end get the instants of both.
--
-- Source: wg/wrk 4.0.0 to 4.2.0, src/wrk.c (main), src/stats.c (stats_correct), src/script.c.

local QUANTILES = { 0.1, 99.5, 99.9, 99.95, 99.99, 99.999 }
for percent = 1, 99 do QUANTILES[#QUANTILES + 1] = percent end
table.sort(QUANTILES)
local OF_MEASURED = { 50, 75, 90, 95, 99, 99.9 }
local STEPS = tonumber(os.getenv("BK_WRK_STEPS")) or 1024

-- Lua's own clock has whole seconds.
local function note(name)
   local folder = os.getenv("BK_WORK")
   if not folder then return end
   pcall(function()
      local ffi = require("ffi")
      ffi.cdef("typedef struct { long s; long us; } bk_time; int gettimeofday(bk_time *, void *);")
      local now = ffi.new("bk_time")
      ffi.C.gettimeofday(now, nil)
      local file = assert(io.open(folder .. "/" .. name, "w"))
      file:write(string.format("%d.%06d", tonumber(now.s), tonumber(now.us)))
      file:close()
   end)
end

-- wrk tells a script nothing of its options.
local function connections()
   local file = io.open("/proc/self/cmdline", "rb")
   if not file then return nil end
   local words, found = {}, "10"
   for word in file:read("*a"):gmatch("[^%z]+") do words[#words + 1] = word end
   file:close()
   for at, word in ipairs(words) do
      if word == "-c" or word == "--connections" then found = words[at + 1] or "" end
      found = word:match("^%-c(%d+)$") or word:match("^%-%-connections=(%d+)$") or found
   end
   return tonumber(found)
end

local function interval_of(summary)
   local opened = connections()
   if not opened or opened < 1 then return nil end
   local each = math.floor(summary.requests / opened)
   return each > 0 and math.floor(summary.duration / each) or nil
end

-- wrk looks for the n-th latency from the smallest on, each time: with many of them for seconds.
local function by_number(latency)
   local number, last = 0, #latency
   return function()
      number = number + 1
      if number <= last then return latency(number) end
   end
end

-- The same from wrk's memory, which is count, limit, min, max, and a count for each microsecond;
-- nothing where what can be asked of wrk says that it is not.
local function in_memory(latency)
   local known, stats = pcall(function()
      local ffi = require("ffi")
      return ffi.cast("uint64_t **", latency)[0]
   end)
   local last = #latency
   if not known or last == 0 then return nil end
   local min, max = latency.min, latency.max
   if stats[2] ~= min or stats[3] ~= max or stats[1] <= max then return nil end
   local found = 0
   for value = min, max do
      if stats[4 + value] > 0 then found = found + 1 end
   end
   local _, first = latency(1)
   if found ~= last or stats[4 + min] ~= first then return nil end
   local value = min - 1
   return function()
      repeat value = value + 1 until value > max or stats[4 + value] > 0
      if value <= max then return value, tonumber(stats[4 + value]) end
   end
end

-- Latencies in ascending order, and how many samples lie at each.
local function read(latency)
   local values, at, total = {}, {}, 0
   for value, count in (in_memory(latency) or by_number(latency)) do
      values[#values + 1], at[value] = value, count
      total = total + count
   end
   return values, at, total
end

-- How many of the samples at each latency were measured, and in all; nil where it cannot be told.
local function undone(values, at, interval, expected)
   local measured, total = {}, 0
   for _, value in ipairs(values) do
      local count = at[value]
      if interval and value > interval then count = count - (at[value + interval] or 0) end
      if count < 0 then return nil end
      measured[value] = count
      total = total + count
   end
   if total == expected then return measured, total end
end

local function rounded(value)
   local step = 1
   while value / step >= 2 * STEPS do step = step * 2 end
   return math.floor(value / step + 0.5) * step
end

-- The rank is wrk's.
local function quantile(values, at, total, percent)
   local rank, passed = math.floor(percent / 100 * total + 1), 0
   for _, value in ipairs(values) do
      passed = passed + at[value]
      if passed >= rank then return value end
   end
end

local function mean(values, at, total)
   local sum = 0
   for _, value in ipairs(values) do sum = sum + value * at[value] end
   return string.format("%.3f", sum / total)
end

local function write_statistics(put, latency, values, total)
   local known = total > 0
   put("min_us", known and values[1])
   put("max_us", known and values[#values])
   put("mean_us", known and string.format("%.3f", latency.mean))
   put("stdev_us", known and string.format("%.3f", latency.stdev))
   for _, percent in ipairs(QUANTILES) do
      if total * (100 - percent) >= 100 then
         put("p" .. percent, string.format("%d", latency:percentile(percent)))
      end
   end
end

local function write_measured(put, values, measured, total)
   put("measured_mean_us", mean(values, measured, total))
   for _, percent in ipairs(OF_MEASURED) do
      if total * (100 - percent) >= 100 then
         put("measured_p" .. percent, quantile(values, measured, total, percent))
      end
   end
end

local function write_table(file, values, at, measured)
   local last, samples, own = nil, 0, 0
   local function flush()
      if last then file:write(string.format("%d,%d,%s\n", last, samples, measured and own or "")) end
   end
   for _, value in ipairs(values) do
      local place = rounded(value)
      if place ~= last then
         flush()
         last, samples, own = place, 0, 0
      end
      samples = samples + at[value]
      own = own + (measured and measured[value] or 0)
   end
   flush()
end

local began = false
function setup()
   if not began then note("load.start") end
   began = true
end

function done(summary, latency)
   note("load.end")
   local file = assert(io.open(os.getenv("BK_WRK_HISTOGRAM") or "wrk-histogram.csv", "w"))
   local function put(name, value) file:write(name, ",", tostring(value or ""), "\n") end
   local function count(name, value) put(name, string.format("%d", value)) end
   local errors, interval = summary.errors, interval_of(summary)
   local values, at, total = read(latency)
   local measured, own = undone(values, at, interval, summary.requests - errors.timeout)
   put("wrk-histogram", 1)
   count("duration_us", summary.duration)
   count("requests", summary.requests)
   count("bytes", summary.bytes)
   for _, kind in ipairs({ "connect", "read", "write" }) do count(kind .. "_errors", errors[kind]) end
   count("timeouts", errors.timeout)
   count("status_errors", errors.status)
   put("interval_us", measured and interval)
   count("samples", total)
   put("measured", own and string.format("%d", own))
   write_statistics(put, latency, values, total)
   if own and own > 0 then write_measured(put, values, measured, own) end
   put("steps", STEPS)
   file:write("latency_us,samples,measured\n")
   write_table(file, values, at, measured)
   file:close()
end
