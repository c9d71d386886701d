-- acquire.lua : acquires a lock, polls while waiting, and confirms a pushed grant.
-- Atomic because reading, deciding and taking must be one step. Repeating it for the same (instance, request) is harmless.
--
-- KEYS[1] the lock     KEYS[2] optional boot marker (not in Cluster): no grants for a while after a server lost its data
-- ARGV  1 instance, without ";"    2 request, grows per instance    3 lease ms    4 claim ms, lease of a pushed grant
--       5 waiter ttl ms, 0 = do not queue    6 tokens to reserve    7 keep ms, how long an ended request is remembered
--       8 not-after, server ms, 0 = none    9 channel prefix
--       10 quarantine ms, with KEYS[2]; or "delay ms;marker": no grants for a while after a change of master (failover.lua)
--       11 optional: what the instance says about itself
--       12 optional: the address of the request for messages, without ";"
--       13 optional: S to share the lock, or how many permits there are, of which one is wanted; else to hold it alone
-- returns ";request;expiry;token;block;"                     holds the lock, and took it for "lease ms" while it was free: the
--                                                           usual case, without a list (see record.lua)
--         { 1, now, expiry, token, block, waiters}          holds the lock
--         { 2, now, holder's expiry, 0, 0, waiters}         queued
--         { 0, now, holder's expiry, 0, 0, waiters}         busy, the request is over
--         {-1, now}                                         the request was over before: a late copy
--         {-2, now, until}                                  quarantined, or too early after a change of master
--         {-3, now}                                         arrived after its not-after time
--         With ARGV[11], 2 and 0 also have: holder's instance, what it said about itself, holder's token.
--         With several holders the holder is one of them, and the expiry is not after the earliest end of their holds.

-- @include steps/clock.lua
local instance, channels, about, sharing = ARGV[1], ARGV[9], ARGV[11] or '', ARGV[13]
local req, lease, tokens, keep, not_after = ARGV[2] + 0, ARGV[3] + 0, ARGV[6] + 0, ARGV[7] + 0, ARGV[8] + 0
if not (req >= 1 and req <= 2 ^ 53 and lease >= 1 and lease <= 1e12 and tokens >= 1 and tokens <= 1e6
    and keep >= 1 and keep <= 1e12 and not_after >= 0) or instance == '' or string.find(instance, ';', 1, true)
    or sharing and sharing ~= 'S' and not string.find(sharing, '^[1-9]%d*$') then
  return redis.error_reply('LKARG bad argument')
end
if not_after > 0 and now > not_after then
  return {-3, now}
end
-- @include steps/record.lua
if not record and redis.call('EXISTS', key) == 1 then
  return redis.error_reply('LKFOREIGN key holds other data')
end

-- Reads the last request of the instance that ended, and the instance's position in the queue.
local finished, position = 0, false
if state == 'E' and owner == instance then
  finished = tonumber(request)
elseif record then
  local known = redis.call('HMGET', key, 'f:' .. instance, 'w:' .. instance)
  finished, position = known[1] and tonumber(string.match(known[1], '^%d+')) or 0, known[2]
end
if finished >= req then
  return {-1, now}
end
local held = own and tonumber(own) or state ~= 'E' and owner == instance and tonumber(request)

if KEYS[2] and held ~= req then
  local moment = redis.call('GET', KEYS[2])
  if not moment then
    moment = string.format('%.0f', now + ARGV[10])
    redis.call('SET', KEYS[2], moment)
  end
  if not tonumber(moment) then
    return redis.error_reply('LKFOREIGN the boot marker is no moment')
  end
  if now < tonumber(moment) then
    return {-2, now, tonumber(moment)}
  end
end

local guard, begins = not tonumber(ARGV[10]) and ARGV[10], true
-- @include steps/failover.lua
-- A hold that the new master knows continues; a hold that ended is not granted again.
if closed and not (held == req and (own_expiry or expiry) - now > 0) then
  return {-2, now, closed_until}
end

-- The usual case: the lock is free, and so nothing waits.
local expires = now + lease
if state == 'E' then
  local first = math.max(token + block, micros)
  local ends, last = expires, first + tokens - 1
  -- @include steps/due.lua
  local hold = string.format(';%.0f;%.0f;%.0f;%d;', req, expires, first, tokens)
  if sharing then
    redis.call('HSET', key, 'o', string.format('*;0;%.0f;%.0f;%d;', expires, first, tokens) .. due .. ';;'
      .. (sharing == 'S' and 'S;' or 'P;') .. string.format('1,%.0f,', expires) .. instance,
      'h:' .. instance, string.sub(hold, 2) .. 'H;' .. about)
  else
    redis.call('HSET', key, 'o', instance .. hold .. due .. ';;H;' .. about)
  end
  if outdated then
    redis.call('PEXPIRE', key, string.format('%.0f', due - now))
  end
  return hold
end

local claim, waiter_ttl, address, request_text = ARGV[4] + 0, ARGV[5] + 0, ARGV[12] or '', string.format('%.0f', req)
if not (claim >= 1 and waiter_ttl >= 0 and waiter_ttl + claim <= keep) or string.find(address, ';', 1, true) then
  return redis.error_reply('LKARG bad argument')
end
-- @include steps/holders.lua
-- @include steps/save.lua
-- @include steps/queue.lua

-- Removes dead waiters, if "sweep", and closes the gaps of waiters that left.
local function close_gaps(sweep)
  local free = tonumber(lock.head)
  for from = free, lock.tail - 1 do
    local waiter, request, alive, claim, tokens, rest = waiter_at(from)
    if waiter and sweep and alive - now <= 0 then
      leave(from, waiter)
    elseif waiter then
      if free < from then
        redis.call('HDEL', key, 'q:' .. from)
        redis.call('HSET', key, 'w:' .. waiter, free, 'q:' .. free,
          table.concat({ waiter, request, alive, claim, tokens, rest }, ';'))
      end
      free = free + 1
    end
  end
  lock.tail = free
end

if held and held > req then
  return {-1, now}
end
if position then
  local waiter, waiting_request = waiter_at(position)
  if waiter ~= instance then
    position = false
  elseif waiting_request - req > 0 then
    return {-1, now}
  elseif waiter_ttl == 0 then
    leave(position, instance)
    position = false
  end
end

-- Ends a hold of an earlier request, because an instance has one request at a time.
local tombstone
if held and held < req then
  tombstone = string.format('%.0f;%d;%s', held, (own_expiry or expiry) - now > 0 and 1 or 2, time[1])
  if own then
    remove_holder(instance)
    own = false
  else
    lock.state = 'E'
  end
end
local turn = admit_waiters(instance, sharing)
if turn then
  position = false
end
if own and own_expiry - now <= 0 then
  own = false
end

local code, contended = 1, false
if own then
  if own_state == 'C' then
    own_expiry = math.max(own_expiry, expires)
    change_holder(instance, own, own_expiry, own_token, own_block, 'H', own_about)
  end
elseif lock.state == 'E' or sharing and (turn or fits(sharing) and lock.waiting == 0) then
  add_holder(instance, request_text, expires, tokens, 'H', about, sharing)
  if sharing then
    own, own_expiry, own_token, own_block = req, expires, lock.token, tokens
    -- The waiters behind it may also fit beside it now.
    admit_waiters()
  end
elseif lock.owner == instance then
  if lock.state == 'C' then
    lock.state, lock.expiry = 'H', string.format('%.0f', math.max(lock.expiry, expires))
  end
elseif waiter_ttl == 0 then
  code = 0
  tombstone = string.format('%.0f;0;%s', req, time[1])
else
  code = 2
  if not position then
    local sweep = lock.waiting > 0 and lock.waiting % 32 == 0
    if sweep or lock.waiting > 0 and lock.tail - lock.head > 2 * lock.waiting then
      close_gaps(sweep)
    end
    contended = lock.waiting == 0
    if contended then
      lock.head, lock.tail = 1, 1
    end
    position, lock.tail, lock.waiting = lock.tail, lock.tail + 1, lock.waiting + 1
  end
end

if code ~= 1 and lock.count > 0 and lock.sample_holder == '' then
  scan_holders()
end
if position then
  save('w:' .. instance, position, 'q:' .. position,
    string.format('%s;%s;%.0f;%.0f;%.0f;%s;', instance, request_text, now + waiter_ttl, claim, tokens, address)
      .. (sharing and '\\' .. sharing .. ';' or '') .. about)
else
  save()
end
if tombstone then
  redis.call('HSET', key, 'f:' .. instance, tombstone)
end
publish(contended)
if code == 1 then
  if own then
    return {1, now, own_expiry + 0, own_token + 0, own_block + 0, lock.waiting}
  end
  return {1, now, lock.expiry + 0, lock.token + 0, lock.block + 0, lock.waiting}
end
if lock.count > 0 then
  local sample = redis.call('HGET', key, 'h:' .. lock.sample_holder) or ''
  local token, about = string.match(#sample <= 8192 and sample or '', '^%d+;%d+;(%d+);%d+;%u;(.*)$')
  lock.owner, lock.expiry, lock.about = lock.sample_holder, lock.earliest, about
  lock.token = token and #token <= 16 and token or 0
end
if ARGV[11] then
  return {code, now, lock.expiry + 0, 0, 0, lock.waiting, lock.owner, lock.about, lock.token + 0}
end
return {code, now, lock.expiry + 0, 0, 0, lock.waiting}
