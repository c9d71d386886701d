-- Deletes the lock if it is still ours. KEYS: the lock. ARGV: its owner.
if redis.call('get', KEYS[1]) == ARGV[1] then
	return redis.call('del', KEYS[1])
end
return 0
