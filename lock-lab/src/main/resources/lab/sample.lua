-- Describes a lock to somebody who looks on. KEYS: the lock.
-- Returns what it says, how many milliseconds are left, its highest token, and how many commands this took itself.
local kind = redis.call('type', KEYS[1]).ok
if kind == 'none' then
	return {'', '', '', '2'}
end
local left = tostring(redis.call('pttl', KEYS[1]))
if kind == 'string' then
	return {redis.call('get', KEYS[1]), left, '', '4'}
end
local record = redis.call('hget', KEYS[1], 'o')
if not record then
	-- Of the lab: the owner and a count.
	return {table.concat(redis.call('hgetall', KEYS[1]), ' × '), left, '', '5'}
end
-- Of this project: the end of the lease is in the record.
local expiry, token, state, about = string.match(record, '^[^;]+;%d+;(%d+);(%d+);%d+;%d+;[^;]*;(%u);(.*)$')
local now = redis.call('time')
local rest = tonumber(expiry) - (now[1] * 1000 + math.floor(now[2] / 1000))
if state == 'E' or rest <= 0 then
	return {'', '', token, '5'}
end
return {about, tostring(rest), token, '5'}
