-- ARGV: instance, number, how long to keep the hold, how long to leave it for the next of us while our turn lasts, channel, message
-- Answer: 1 released, 0 not ours any more; the time; who has it

if not is_ours(tonumber(ARGV[2])) then
  return {0, now, text or ''}
end
if tonumber(ARGV[3]) > 0 then
  put(ours(0, '~', 0), ARGV[3])
elseif tonumber(ARGV[4]) > 0 and now < tonumber(turn) then
  put(ours(turn, '', 0), math.min(ARGV[4], math.ceil((turn - now) / 1000)))
else
  redis.call('del', KEYS[1])
end
if ARGV[5] ~= '' then
  -- A user may lack the right, but the lock is released all the same.
  redis.pcall('publish', ARGV[5], ARGV[6])
  -- Where waiters use shards, which older servers do not know.
  redis.pcall('spublish', ARGV[5], ARGV[6])
end
return {1, now, ''}
