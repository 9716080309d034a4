-- Cuts off what waits for a process that no longer answers, while another one of its service does.
--
-- The keyword `on-marked-down shutdown-sessions` would also cut off what a process finishes before it ends, when it is
-- no longer ready, and everything where all processes of a service are late, as on an overloaded machine.

-- Those that may wait for longer than a read, which goes to another process by its own limit. What is cut off here may get no
-- answer at all, so no backend whose requests are to be repeated belongs here.
local BACKENDS = { "command-api", "command-api-uploads", "query-api-streams" }
local EVERY_MS = 200
-- As long as two checks take that are not answered.
local WELL_FOR_S = 5

-- Since when each server has been seen well, in seconds.
local well_since = {}

local function seconds()
  local now = core.now()
  return now.sec + now.usec / 1000000
end

-- Two checks in a row were not answered in time.
local function is_frozen(state)
  return state.status == "DOWN" and state.check_status:find("TOUT", 1, true) ~= nil
end

-- The last check was answered, and none failed just before.
local function is_well(state)
  return state.status == "UP" and state.check_status:find("L7OK", 1, true) ~= nil
end

local function leave_frozen(backend)
  local frozen, is_another_well = {}, false
  for name, server in pairs(core.backends[backend].servers) do
    local key = backend .. "/" .. name
    local state = server:get_stats()
    if is_frozen(state) then frozen[#frozen + 1] = server end
    well_since[key] = is_well(state) and (well_since[key] or seconds()) or nil
    if well_since[key] and seconds() - well_since[key] >= WELL_FOR_S then is_another_well = true end
  end
  if not is_another_well then return end
  for _, server in ipairs(frozen) do server:shut_sess() end
end

core.register_task(function()
  while true do
    for _, backend in ipairs(BACKENDS) do leave_frozen(backend) end
    core.msleep(EVERY_MS)
  end
end)
