-- Sends four requests at a time on each connection.
local batch
function init(args)
  local one = {}
  for i = 1, 4 do one[i] = wrk.format() end
  batch = table.concat(one)
end
function request() return batch end
