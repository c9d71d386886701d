-- renew.lua as it was when a lock had one holder only: older clients run it during an update.
local key = KEYS[1]
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)

local inst, req, lease, tokens, keep = ARGV[1], ARGV[2] + 0, ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0
if not (req >= 1 and req <= 2 ^ 53 and lease >= 1 and lease <= 1e12 and tokens >= 0 and tokens <= 1e6
    and keep >= 1 and keep <= 1e12) then
  return redis.error_reply('LKARG bad argument')
end
local record = redis.call('HGET', key, 'o')
local owner, request, expiry, token, block, due, queue, state, about_at = '', '0', '0', '0', '1', '0', '', 'E', 1
if record then
  owner, request, expiry, token, block, due, queue, state, about_at =
    string.match(record, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(%d+);([^;]*);(%u);()')
end

if state == 'E' or owner ~= inst or tonumber(request) ~= req or tonumber(expiry) <= now then
  return {0, now}
end

local asked = now + lease
expiry = state == 'H' and math.max(tonumber(expiry), asked) or asked
state = 'H'
if tokens > 0 then
  token = math.max(token + block, micros)
  block = tokens
end
local least = math.max((state == 'E' and now or expiry) + keep, math.floor((token + block - 1) / 1000) + 1001)
local outdated = due - least < 0 or due - least > 6 * keep
if outdated then
  due = string.format('%.0f', least + 2 * keep)
end

local holder_about = string.sub(record, about_at)
local text = owner .. string.format(';%.0f;%.0f;%.0f;', request, expiry, token) .. block .. ';' .. due .. ';' .. queue
  .. ';' .. state .. ';' .. holder_about

if type(redis.pcall('HSET', key, 'o', text)) == 'table' then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
  redis.call('HSET', key, 'o', text)
end
if outdated then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
end

return {1, now, asked, tonumber(token), tonumber(block), tonumber(string.match(queue, '%d+$') or 0)}
