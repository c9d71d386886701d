-- Gives the lock back once; the last time deletes it. KEYS: the lock. ARGV: its owner.
-- Returns how often its owner still has it, -1 if another one has it.
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
	return -1
end
local count = redis.call('hincrby', KEYS[1], ARGV[1], -1)
if count == 0 then
	redis.call('del', KEYS[1])
end
return count
