-- fenced_set.lua : sets a value, unless a later holder of the lock has set one.
-- Atomic because comparing and setting must be one step. Repeating it is harmless.
--
-- KEYS[1] the value     ARGV 1 fencing token, below 2^53    2 value
-- returns 0 set, else the higher token that was here before: nothing has changed
--
-- One hash: token = the highest token ever set, value. No TTL: the script would accept older tokens once the token is forgotten.
local token = tonumber(ARGV[1])
if not (token and token >= 1 and token <= 2 ^ 53) then
  return redis.error_reply('LKARG bad argument')
end
local highest = tonumber(redis.call('HGET', KEYS[1], 'token') or 0)
if not highest or highest == 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.error_reply('LKFOREIGN key holds other data')
end
if highest > token then
  return highest
end
redis.call('HSET', KEYS[1], 'token', string.format('%.0f', token), 'value', ARGV[2])
return 0
