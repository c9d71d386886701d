-- Takes one item and returns how many there were: -1 stands for any number, 0 for none.
-- KEYS: the stock.
local left = tonumber(redis.call('get', KEYS[1]) or '0')
if left > 0 then
	redis.call('decr', KEYS[1])
end
return left
