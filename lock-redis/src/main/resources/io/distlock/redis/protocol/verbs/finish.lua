-- finish.lua : ends a request in any state: a release, a cancellation, an undo, or breaking a lock with the holder's pair.
-- Atomic because a wait may turn into a hold at any moment, and because the next waiter must get the lock in the same step.
-- A repetition gets the first answer for at least "keep", until the key expires or a later release tidies up.
--
-- KEYS[1] the lock     ARGV 1 instance    2 request    3 keep ms, how long the end is remembered    4 channel prefix
--                         5 "1" if the server is not in a Cluster: only then may a script empty the key of a lock that was used
--                           once. In a Cluster an emptied key may be on another master already, and the next command fails
--                         6 optional "delay ms;marker", or "": during the delay after a change of master no waiter gets the lock
--                         7 optional: how many ms from now on the lock is kept if the request holds it; 0 = not at all.
--                           The hold continues under the instance "~request~instance", which no command has
-- returns now, a number: the usual case, released while valid, and nothing waits
--         {code, now, granted 0/1, token of the latest grant}
--   code 1 released while valid    2 released after the lease, before another instance took the lock    3 was queued only
--        0 unknown here: never arrived, expired and taken, or lost by the server    4 released by force before

-- @include steps/clock.lua
local instance, req, keep, channels = ARGV[1], ARGV[2] + 0, ARGV[3] + 0, ARGV[4]
local rest = (ARGV[7] or 0) + 0
if not (req >= 1 and req <= 2 ^ 53 and keep >= 1 and keep <= 1e12 and rest >= 0 and rest <= 1e12) then
  return redis.error_reply('LKARG bad argument')
end
-- @include steps/record.lua

-- The usual case: a hold ends within its lease, and nothing waits. Now and then this case also takes the long way, to tidy up.
local spare = due - now - keep
if rest == 0 and owner == instance and request == ARGV[2] and state ~= 'E' and queue == '' and expiry - now > 0
    and spare >= 0 and spare <= 6 * keep then
  local text, tombstone = string.sub(record, 1, about_at - 3) .. 'E;', ARGV[2] .. ';1;' .. time[1]
  -- The key got its time for this hold, and contains nothing else to remember.
  local once = ARGV[5] == '1' and due - expiry == 3 * keep and redis.call('HLEN', key) == 1
  if (once or micros % 64 ~= 0) and type(redis.pcall('HSET', key, 'o', text, 'f:' .. instance, tombstone)) == 'number' then
    -- What must be remembered is written again in short form, so that Redis stores it as a list. Redis turns a hash table into
    -- a list only if the key was gone in between. The HSET above showed that the server accepts the second HSET.
    if once then
      local rest = string.format('*;0;0;%.0f;1;', token + block - 1) .. due .. ';;E;'
      redis.call('HDEL', key, 'o', 'f:' .. instance)
      redis.call('HSET', key, 'o', rest, 'f:' .. instance, tombstone)
      redis.call('PEXPIRE', key, string.format('%.0f', due - now))
    end
    return now
  end
end

if not record and redis.call('EXISTS', key) == 1 then
  return redis.error_reply('LKFOREIGN key holds other data')
end
local held = own and tonumber(own) or state ~= 'E' and owner == instance and tonumber(request)
local position = false
-- A request that holds the lock has not ended and does not wait.
if held ~= req then
  local known = redis.call('HMGET', key, 'f:' .. instance, 'w:' .. instance)
  local finished, first_code = string.match(known[1] or '0;0', '^(%d+);(%d+)')
  finished = finished or 0
  if tonumber(finished) >= req then
    return {tonumber(finished) == req and tonumber(first_code) or 0, now, 0, 0}
  end
  position = known[2]
end
local guard, begins = ARGV[6] ~= '' and ARGV[6], false
-- @include steps/failover.lua
-- @include steps/holders.lua
-- @include steps/save.lua
-- @include steps/queue.lua

local code = 0
if position then
  local waiter, waiting_request = waiter_at(position)
  if waiter == instance and waiting_request - req <= 0 then
    code = waiting_request - req == 0 and 3 or 0
    leave(position, instance)
  end
end
if held and held <= req then
  if held == req then
    code = (own_expiry or expiry) - now > 0 and 1 or 2
  end
  local kept, ends = '~' .. ARGV[2] .. '~' .. instance, now + rest
  if code ~= 1 or rest == 0 then
    if own then
      remove_holder(instance)
    else
      lock.state = 'E'
    end
  elseif own then
    -- No other hold has this field, so it can be written at once. A script that reads all holds finds it.
    redis.call('HDEL', key, 'h:' .. instance)
    redis.call('HSET', key, 'h:' .. kept, table.concat({ own, string.format('%.0f', ends), own_token, own_block, own_state, own_about }, ';'))
    lock.earliest, lock.sample_holder = math.min(lock.earliest, ends), ''
    if ends - lock.expiry > 0 then
      lock.expiry = string.format('%.0f', ends)
    end
  else
    lock.owner, lock.expiry = kept, string.format('%.0f', ends)
  end
end
admit_waiters()
if lock.state == 'E' then
  lock.owner, lock.request, lock.about = instance, string.format('%.0f', req), ''
end
-- An unknown request gets a tombstone too: a copy of its acquire may still be under way.
save('f:' .. instance, string.format('%.0f;%d;%s', req, code, time[1]))
publish(false)

-- Now and then it removes tombstones that are older than "keep".
if micros % 64 == 0 and redis.call('HLEN', key) > 160 then
  local fields, old = redis.call('HGETALL', key), {}
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 2) == 'f:' and ((string.match(fields[i + 1], '^%d+;%d+;(%d+)') or 0) + 1) * 1000 < now - keep then
      old[#old + 1] = fields[i]
    end
  end
  for from = 1, #old, 4000 do
    redis.call('HDEL', key, unpack(old, from, math.min(from + 3999, #old)))
  end
end
return {code, now, #changed > 0 and 1 or 0, #changed > 0 and lock.token + 0 or 0}
