-- Prolongs the lease. KEYS: the lock. ARGV: owner, lease in milliseconds.
if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then
	return redis.call('pexpire', KEYS[1], ARGV[2])
end
return 0
