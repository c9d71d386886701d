-- ARGV: instance, number, lease
-- Answer: 1 renewed, 0 gone; the time; what is left of the lease, which no renewal shortens

if not is_ours(tonumber(ARGV[2])) then
  return {0, now, ''}
end
local left = math.max(redis.call('pttl', KEYS[1]), tonumber(ARGV[3]))
redis.call('pexpire', KEYS[1], left)
return {1, now, tostring(left)}
