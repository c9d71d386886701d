-- finish.lua : ends a request in whatever state it is. Release, cancel, undo, or breaking a lock with the holder's pair.
-- Atomic because a wait may turn into a hold at any moment, and because the next waiter must get the lock in the same
-- step. A repetition gets the first answer.
--
-- KEYS[1] the lock     ARGV 1 instance    2 request    3 keep ms, how long the end is remembered    4 channel prefix
-- returns {code, now, granted 0/1, token of the latest grant}
--   code 1 released while valid    2 released after the lease, nobody had taken it    3 was queued only
--        0 unknown here: never arrived, expired and taken, or lost by the server

-- @include clock.lua
local inst, req, keep, channels = ARGV[1], ARGV[2] + 0, ARGV[3] + 0, ARGV[4]
if not (req >= 1 and req <= 2 ^ 53 and keep >= 1 and keep <= 1e12) then
  return redis.error_reply('LKARG bad argument')
end
-- @include record.lua

-- The usual case: a hold ends within its lease, and nobody waits. Now and then it takes the long way, which tidies up.
local spare = due - now - keep
if owner == inst and request == ARGV[2] and state ~= 'E' and queue == '' and expiry - now > 0
    and spare >= 0 and spare <= 6 * keep and micros % 64 ~= 0 then
  local text = string.sub(record, 1, about_at - 3) .. 'E;'
  if type(redis.pcall('HSET', key, 'o', text, 'f:' .. inst, ARGV[2] .. ';1;' .. time[1])) == 'number' then
    return {1, now, 0, 0}
  end
end

if not record and redis.call('EXISTS', key) == 1 then
  return redis.error_reply('LKFOREIGN key holds other data')
end
-- @include hold.lua
local held = own or state ~= 'E' and owner == inst and tonumber(request)
local waits_at = false
-- Who holds the lock has neither ended nor waits.
if held ~= req then
  local known = redis.call('HMGET', key, 'f:' .. inst, 'w:' .. inst)
  local finished, first_code = string.match(known[1] or '0;0', '^(%d+);(%d+)')
  if tonumber(finished) >= req then
    return {tonumber(finished) == req and tonumber(first_code) or 0, now, 0, 0}
  end
  waits_at = known[2]
end

-- @include waiters.lua
local code = 0
if waits_at then
  local _, waiting_request = waiter_at(waits_at)
  if tonumber(waiting_request) <= req then
    code = tonumber(waiting_request) == req and 3 or 0
    leave(tonumber(waits_at), inst)
  end
end
if held and held <= req then
  if held == req then
    code = (own_expiry or expiry) > now and 1 or 2
  end
  if own then
    -- @include part.lua
  else
    state = 'E'
  end
end
local asking, wanted, turn
-- @include settle.lua
if state == 'E' then
  owner, request, holder_about = inst, req, ''
end
-- @include save.lua
-- The tombstone is left also when the request is not known here: a copy of its acquire may still be under way.
write('o', text, 'f:' .. inst, string.format('%.0f;%d;%s', req, code, time[1]))
-- @include joined.lua
-- @include publish.lua

-- Now and then: forgets tombstones of instances that went away.
if micros % 64 == 0 and redis.call('HLEN', key) > 160 then
  local all, dead = redis.call('HGETALL', key), {}
  for i = 1, #all, 2 do
    if string.sub(all[i], 1, 2) == 'f:' and (string.match(all[i + 1], '%d+$') + 1) * 1000 < now - keep then
      dead[#dead + 1] = all[i]
    end
  end
  for first = 1, #dead, 4000 do
    redis.call('HDEL', key, unpack(dead, first, math.min(first + 3999, #dead)))
  end
end
return {code, now, #joined > 0 and 1 or 0, #joined > 0 and token or 0}
