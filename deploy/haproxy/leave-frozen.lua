-- Cuts off requests to a process that no longer responds, if another process of its service does.
--
-- `on-marked-down shutdown-sessions` would also cut off requests that a stopping process, no longer ready, is still
-- finishing, and all requests if every process of a service is slow, as on an overloaded machine.

-- Backends whose requests may take longer than a read, which times out and goes to another process. A request cut off
-- here may get no response at all, so no backend with retries belongs here.
local BACKENDS = { "command-api", "command-api-uploads", "query-api-streams" }
local EVERY_MS = 200
-- The time that two unanswered checks take.
local WELL_FOR_S = 5

-- When each server became healthy, in seconds.
local well_since = {}

local function seconds()
  local now = core.now()
  return now.sec + now.usec / 1000000
end

-- Two consecutive checks timed out.
local function is_frozen(state)
  return state.status == "DOWN" and state.check_status:find("TOUT", 1, true) ~= nil
end

-- The last check succeeded, and none failed just before it.
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
