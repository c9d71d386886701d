-- Reads the stock and keeps out earlier holders of the lock from here on, or returns -1 for one of those.
-- KEYS: the stock, the highest token seen. ARGV: the token.
local seen = tonumber(redis.call('get', KEYS[2]) or '0')
if tonumber(ARGV[1]) < seen then
	return -1
end
redis.call('set', KEYS[2], ARGV[1])
return tonumber(redis.call('get', KEYS[1]) or '0')
