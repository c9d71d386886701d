-- force_release.lua : ends holds of a lock against the will of their owners, and lets in the waiters that are next.
-- Atomic because a hold may be renewed or passed on at any moment, and because the next waiter must get the lock in the same
-- step. Requests name the holds, so that a late copy ends no hold that was granted later. A repetition gets the first
-- answer.
--
-- KEYS[1] the lock     ARGV 1 keep ms, how long the end is remembered    2 channel prefix
--       3 "delay ms;marker", as in failover.lua, or ""
--       then for each hold: its instance, its request
-- returns {how many, now, index, index, ...}: which of the holds, from 1, were ended by force, now or before

-- @include steps/clock.lua
local instance, keep, channels = '', ARGV[1] + 0, ARGV[2]
if not (keep >= 1 and keep <= 1e12) or #ARGV > 10003 or #ARGV % 2 == 0 then
  return redis.error_reply('LKARG bad argument')
end
-- @include steps/record.lua
if not record and redis.call('EXISTS', key) == 1 then
  return redis.error_reply('LKFOREIGN key holds other data')
end
local guard, begins = ARGV[3] ~= '' and ARGV[3], false
-- @include steps/failover.lua
-- @include steps/holders.lua
-- @include steps/save.lua
-- @include steps/queue.lua

-- returns the request and the end of an instance's hold, as text
local function hold_of(holder)
  if lock.count == 0 then
    return lock.state ~= 'E' and lock.owner == holder and lock.request, lock.expiry
  end
  local held, ends = string.match(redis.call('HGET', key, 'h:' .. holder) or '', '^(%d+);(%d+);')
  return held and #ends <= 16 and held, ends
end

local reply, tombstones, engines = {0, now}, {}, {}
for i = 4, #ARGV, 2 do
  local holder, req = ARGV[i], ARGV[i + 1]
  local held, ends = hold_of(holder)
  local ended = held == req and ends - now > 0
  if ended then
    -- The former holder asks about its hold until then.
    keep = math.max(keep, ends - now)
    if lock.count > 0 then
      remove_holder(holder)
    else
      lock.state = 'E'
    end
    tombstones[#tombstones + 1] = 'f:' .. holder
    tombstones[#tombstones + 1] = req .. ';4;' .. time[1]
    engines[string.match(holder, '^[^~.][^.]*') or ''] = true
  else
    ended = string.match(redis.call('HGET', key, 'f:' .. holder) or '', '^(%d+);4;') == req
  end
  if ended then
    reply[1] = reply[1] + 1
    reply[#reply + 1] = (i - 2) / 2
  end
end
if #tombstones == 0 then
  return reply
end
admit_waiters()
if lock.state == 'E' then
  lock.about = ''
end
save(tombstones[1], tombstones[2])
for i = 3, #tombstones, 2 do
  redis.call('HSET', key, tombstones[i], tombstones[i + 1])
end
publish(false)
-- Notifies each former holder, so that it tries to confirm its hold at once and learns that the hold is gone.
--   L;digest;key
engines[''] = nil
for engine in pairs(engines) do
  local digest = redis.sha1hex(engine)
  redis.pcall('PUBLISH', channels .. string.sub(digest, 1, 16), 'L;' .. digest .. ';' .. key)
end
return reply
