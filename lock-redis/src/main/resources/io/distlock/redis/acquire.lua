-- acquire.lua : acquires, polls while waiting, and confirms a pushed grant. Follows state.lua.
-- Atomic because looking, deciding and taking must be one step. Repeating it for the same (instance, request) is harmless.
--
-- KEYS[1] the lock     KEYS[2] optional boot marker (not in Cluster): no grants for a while after a server lost its data
-- ARGV  1 instance [A-Za-z0-9_-]    2 request, grows per instance    3 lease ms    4 claim ms, lease of a pushed grant
--       5 waiter ttl ms, 0 = do not queue    6 tokens to reserve    7 keep ms, how long an ended request is remembered
--       8 not-after, server ms, 0 = none    9 channel prefix    10 quarantine ms, with KEYS[2]
--       11 optional: what the instance says about itself
-- returns { 1, now, expiry, token, block, waiters}          holds the lock
--         { 2, now, holder's expiry, 0, 0, waiters}         queued
--         { 0, now, holder's expiry, 0, 0, waiters}         busy, the request is over
--         {-1, now}                                         the request was over before: a late copy
--         {-2, now, until}                                  quarantined
--         {-3, now}                                         arrived after its not-after time
--         With ARGV[11], 2 and 0 also have: holder's instance, what it said about itself, holder's token.

local inst, channels, about = ARGV[1], ARGV[9], ARGV[11]
local req, lease, claim, waiter_ttl = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local block, keep, not_after = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
if not (within(req, 1, 2 ^ 53) and within(lease, 1, 1e12) and within(claim, 1, 1e12) and within(waiter_ttl, 0, 1e12)
    and within(block, 1, 1e6) and within(keep, waiter_ttl + claim, 1e12) and within(not_after, 0, 2 ^ 53)
    and string.match(inst, '^[%w_%-]+$')) then
  return redis.error_reply('LKARG bad argument')
end

if not_after > 0 and now > not_after then
  return {-3, now}
end
local lock, failure = read_lock(inst)
if not lock then
  return failure
end
if lock.finished >= req then
  return {-1, now}
end
local held = lock.owner and lock.owner.inst == inst and lock.owner.req

local function quarantined_until()
  local moment = redis.call('GET', KEYS[2])
  if not moment then
    moment = whole(now + tonumber(ARGV[10]))
    redis.call('SET', KEYS[2], moment)
  end
  return tonumber(moment)
end

if KEYS[2] and held ~= req then
  local moment = quarantined_until()
  if now < moment then
    return {-2, now, moment}
  end
end

local place = position(lock.queue, inst)
if (held and held > req) or (place and lock.queue[place].req > req) then
  return {-1, now}
end
local free = not lock.owner and #lock.queue == 0

local function introduce()
  if about and about ~= '' then
    lock.holder, lock.metadata = inst, about
  end
end

-- The waiter of a poll keeps its place; one that no longer queues leaves.
if place and waiter_ttl > 0 then
  local waiter = lock.queue[place]
  if waiter.req < req then
    introduce()
  end
  waiter.req, waiter.alive, waiter.claim, waiter.block = req, now + waiter_ttl, claim, block
  lock.queue_changed = true
elseif place then
  table.remove(lock.queue, place)
  lock.queue_changed = true
end

-- A hold of an earlier request has no believer any more: its instance has one request at a time.
if held and held < req then
  bury(lock, inst, held, end_code(lock.owner))
  disown(lock)
end
settle(lock, inst)

local function sweep_dead_waiters()
  local alive = {}
  for _, waiter in ipairs(lock.queue) do
    if waiter.alive > now then
      alive[#alive + 1] = waiter
    end
  end
  lock.queue = alive
end

local function enqueue()
  if #lock.queue > 0 and #lock.queue % 32 == 0 then
    sweep_dead_waiters()
  end
  lock.queue[#lock.queue + 1] = { inst = inst, req = req, alive = now + waiter_ttl, claim = claim, block = block }
  lock.queue_changed = true
  introduce()
  if #lock.queue == 1 then
    say(lock.owner.inst, 'W;' .. key)
  end
end

local code
if not lock.owner then
  code = 1
  own(lock, inst, req, lease, block, false)
  introduce()
elseif lock.owner.inst == inst then
  code = 1
  if lock.owner.claim then
    lock.owner.claim, lock.owner.expiry, lock.owner_changed = false, now + lease, true
  end
elseif waiter_ttl == 0 then
  code = 0
  bury(lock, inst, req, 0)
else
  code = 2
  if not position(lock.queue, inst) then
    enqueue()
  end
end

local owner = lock.owner
local reply = {code, now, owner.expiry, 0, 0, #lock.queue}
if code == 1 then
  reply[4], reply[5] = owner.token, owner.block
elseif about then
  reply[7] = owner.inst
  reply[8] = redis.call('HGET', key, 'i:' .. owner.inst) or ''
  reply[9] = owner.token
end
save(lock, keep, free)
publish(channels)
return reply
