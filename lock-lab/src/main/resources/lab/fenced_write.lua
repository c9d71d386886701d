-- Writes the stock unless a later holder of the lock has read or written.
-- KEYS: the stock, the highest token seen. ARGV: the new stock, the token.
local seen = tonumber(redis.call('get', KEYS[2]) or '0')
if tonumber(ARGV[2]) < seen then
	return 0
end
redis.call('set', KEYS[2], ARGV[2])
redis.call('set', KEYS[1], ARGV[1])
return 1
