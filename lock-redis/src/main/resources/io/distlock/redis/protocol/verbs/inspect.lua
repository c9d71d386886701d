-- inspect.lua : reads a lock. Writes nothing, so EVALSHA_RO and replicas may run it.
-- Atomic because fields and clock must be of one moment.
--
-- KEYS[1] the lock
-- returns {now in microseconds, pttl, field, value, field, value, ...}, the fields as in record.lua

-- @include steps/clock.lua
local instance = ''
-- @include steps/record.lua
local reply = {micros, redis.call('PTTL', key)}
for _, value in ipairs(redis.call('HGETALL', key)) do
  reply[#reply + 1] = value
end
return reply
