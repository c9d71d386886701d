-- finish.lua : ends a request in whatever state it is. Release, cancel, undo, or breaking a lock with the holder's pair.
-- Follows state.lua. Atomic because a wait may turn into a hold at any moment, and because the next waiter must get the
-- lock in the same step. A repetition gets the first answer.
--
-- KEYS[1] the lock     ARGV 1 instance    2 request    3 keep ms, how long the end is remembered    4 channel prefix
-- returns {code, now, granted 0/1, token of the grant}
--   code 1 released while valid    2 released after the lease, nobody had taken it    3 was queued only
--        0 unknown here: never arrived, expired and taken, or lost by the server

local inst, req, keep, channels = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
if not (within(req, 1, 2 ^ 53) and within(keep, 1, 1e12)) then
  return redis.error_reply('LKARG bad argument')
end

local lock, failure = read_lock(inst)
if not lock then
  return failure
end
if lock.finished == req then
  return {lock.finished_code, now, 0, 0}
end
if lock.finished > req then
  return {0, now, 0, 0}
end

local code = 0
local waiter = lock.waiter
if waiter and waiter.req <= req then
  if waiter.req == req then
    code = 3
  end
  leave(lock, inst)
end
local owner = lock.owner
if owner and owner.inst == inst and owner.req <= req then
  if owner.req == req then
    code = end_code(owner)
  end
  disown(lock)
end
-- Also when the request is not known here: a copy of its acquire may still be under way.
bury(lock, inst, req, code)
settle(lock, nil)

local granted = lock.owner and lock.owner ~= owner
save(lock, keep, false)
publish(channels)
return {code, now, granted and 1 or 0, granted and lock.owner.token or 0}
