-- Our owner is distlock:<end of our turn>:<instance>:<number of its request>. No instance: left for the next of us, but not for long.

local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local text = owner_text()
local turn, instance, number = string.match(text or '', '^distlock:(%d+):([^:]*):(%d+)$')

local function is_ours(most)
  return instance == ARGV[1] and tonumber(number) <= most
end

local function ours(turn, instance, number)
  return string.format('distlock:%.0f:%s:%s', turn, instance, number)
end

