-- acquire.lua : acquires, polls while waiting, and confirms a pushed grant. Follows state.lua.
-- Atomic because looking, deciding and taking must be one step. Repeating it for the same (instance, request) is harmless.
--
-- KEYS[1] the lock     KEYS[2] optional boot marker (not in Cluster): no grants for a while after a server lost its data
-- ARGV  1 instance, without ";"    2 request, grows per instance    3 lease ms    4 claim ms, lease of a pushed grant
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
    and #inst > 0 and not string.find(inst, ';', 1, true)) then
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

if (held and held > req) or (lock.waiter and lock.waiter.req > req) then
  return {-1, now}
end
local free = not lock.owner and lock.queue == ''

local function introduce()
  if about and about ~= '' then
    lock.holder, lock.metadata = inst, about
  end
end

-- The waiter of a poll keeps its place; one that no longer queues leaves.
local function wait_on()
  lock.waiter = { req = req, alive = now + waiter_ttl, claim = claim, block = block }
  lock.waiter_changed = true
end
if lock.waiter and waiter_ttl > 0 then
  if lock.waiter.req < req then
    introduce()
  end
  wait_on()
elseif lock.waiter then
  leave(lock, inst)
end

-- A hold of an earlier request has no believer any more: its instance has one request at a time.
if held and held < req then
  bury(lock, inst, held, end_code(lock.owner))
  disown(lock)
end
settle(lock, inst)

local function sweep_dead_waiters()
  for other in string.gmatch(lock.queue, '[^;]+') do
    local waiter = waiter_of(lock, other)
    if not waiter or waiter.alive <= now then
      leave(lock, other)
    end
  end
end

local function enqueue()
  local waiting = count(lock.queue)
  if waiting > 0 and waiting % 32 == 0 then
    sweep_dead_waiters()
  end
  local first = lock.queue == ''
  lock.queue = lock.queue .. inst .. ';'
  lock.queue_changed = true
  wait_on()
  introduce()
  if first then
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
  if not lock.waiter then
    enqueue()
  end
end

local owner = lock.owner
local reply = {code, now, owner.expiry, 0, 0, count(lock.queue)}
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
