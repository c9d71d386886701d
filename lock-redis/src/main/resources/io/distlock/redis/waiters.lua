-- waiters.lua : a step. The queue, and what is only needed past the usual case. After record.lua.
request, expiry, token, block = tonumber(request), tonumber(expiry), tonumber(token), tonumber(block)
local holder_about = record and string.sub(record, about_at) or ''
local head, tail, waiting = 1, 1, 0
if queue ~= '' then
  head, tail, waiting = string.match(queue, '^(%d+),(%d+),(%d+)$')
  head, tail, waiting = tonumber(head), tonumber(tail), tonumber(waiting)
end
-- @include together.lua
-- Holds together with others that begin or are confirmed now.
local joined = {}
-- Where the instance of this command waits, if it does.
local place
-- Whether another instance was granted the lock, or the holder has to learn that somebody waits.
local granted, contended = false, false

-- instance, request, alive until, claim, tokens, about; or nil at an empty place
local function waiter_at(position)
  local text = redis.call('HGET', key, 'q:' .. position)
  if text then
    return string.match(text, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(.*)$')
  end
end

local function leave(position, waiter)
  redis.call('HDEL', key, 'q:' .. position, 'w:' .. waiter)
  waiting = waiting - 1
  if position == place then
    place = nil
  end
end

-- When memory is full the server refuses HSET, but only as long as the script has written nothing else.
local function write(...)
  if type(redis.pcall('HSET', key, ...)) == 'table' then
    redis.call('PEXPIRE', key, string.format('%.0f', due - now))
    redis.call('HSET', key, ...)
  end
end
