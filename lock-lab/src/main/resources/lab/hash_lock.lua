-- Takes a lock that its owner may take again. KEYS: the lock. ARGV: owner, lease in milliseconds.
-- Returns how often its owner has it now, 0 if another one has it.
if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[1]) == 1 then
	local count = redis.call('hincrby', KEYS[1], ARGV[1], 1)
	redis.call('pexpire', KEYS[1], ARGV[2])
	return count
end
return 0
