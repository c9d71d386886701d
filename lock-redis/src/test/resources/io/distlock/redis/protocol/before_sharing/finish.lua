-- finish.lua as it was when a lock had one holder only: older clients run it during an update.
local key = KEYS[1]
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)

local inst, req, keep, channels = ARGV[1], ARGV[2] + 0, ARGV[3] + 0, ARGV[4]
if not (req >= 1 and req <= 2 ^ 53 and keep >= 1 and keep <= 1e12) then
  return redis.error_reply('LKARG bad argument')
end
local record = redis.call('HGET', key, 'o')
local owner, request, expiry, token, block, due, queue, state, about_at = '', '0', '0', '0', '1', '0', '', 'E', 1
if record then
  owner, request, expiry, token, block, due, queue, state, about_at =
    string.match(record, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(%d+);([^;]*);(%u);()')
end

local spare = due - now - keep
if owner == inst and request == ARGV[2] and state ~= 'E' and queue == '' and expiry - now > 0
    and spare >= 0 and spare <= 6 * keep and micros % 64 ~= 0 then
  local text = string.sub(record, 1, about_at - 3) .. 'E;'
  if type(redis.pcall('HSET', key, 'o', text, 'f:' .. inst, ARGV[2] .. ';1;' .. time[1])) == 'number' then
    return {1, now, 0, 0}
  end
end

if not record and redis.call('EXISTS', key) == 1 then
  return redis.error_reply('LKFOREIGN key holds other data')
end
local held = state ~= 'E' and owner == inst and tonumber(request)
local waits_at = false
if held ~= req then
  local known = redis.call('HMGET', key, 'f:' .. inst, 'w:' .. inst)
  local finished, first_code = string.match(known[1] or '0;0', '^(%d+);(%d+)')
  if tonumber(finished) >= req then
    return {tonumber(finished) == req and tonumber(first_code) or 0, now, 0, 0}
  end
  waits_at = known[2]
end

request, expiry, token, block = tonumber(request), tonumber(expiry), tonumber(token), tonumber(block)
local holder_about = record and string.sub(record, about_at) or ''
local head, tail, waiting = 1, 1, 0
if queue ~= '' then
  head, tail, waiting = string.match(queue, '^(%d+),(%d+),(%d+)$')
  head, tail, waiting = tonumber(head), tonumber(tail), tonumber(waiting)
end
local place
local granted, contended = false, false

local function waiter_at(position)
  local text = redis.call('HGET', key, 'q:' .. position)
  if text then
    return string.match(text, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(.*)$')
  end
end

local function leave(position, waiter)
  redis.call('HDEL', key, 'q:' .. position, 'w:' .. waiter)
  waiting = waiting - 1
  if position == place then
    place = nil
  end
end

local function write(...)
  if type(redis.pcall('HSET', key, ...)) == 'table' then
    redis.call('PEXPIRE', key, string.format('%.0f', due - now))
    redis.call('HSET', key, ...)
  end
end

local code = 0
if waits_at then
  local _, waiting_request = waiter_at(waits_at)
  if tonumber(waiting_request) <= req then
    code = tonumber(waiting_request) == req and 3 or 0
    leave(tonumber(waits_at), inst)
  end
end
if held and held <= req then
  if held == req then
    code = expiry > now and 1 or 2
  end
  state = 'E'
end
local asking
if expiry <= now then
  state = 'E'
end
while state == 'E' and waiting > 0 and head < tail do
  local waiter, waiter_request, alive, waiter_claim, waiter_tokens, waiter_about = waiter_at(head)
  if waiter then
    leave(head, waiter)
  end
  head = head + 1
  if waiter and waiter == asking then
    break
  end
  if waiter and tonumber(alive) > now then
    token, block, state = math.max(token + block, micros), tonumber(waiter_tokens), 'C'
    owner, request, expiry, holder_about = waiter, tonumber(waiter_request), now + waiter_claim, waiter_about
    granted = true
  end
end

if state == 'E' then
  owner, request, holder_about = inst, req, ''
end
queue = waiting > 0 and head .. ',' .. tail .. ',' .. waiting or ''
local least = math.max((state == 'E' and now or expiry) + keep, math.floor((token + block - 1) / 1000) + 1001)
local outdated = due - least < 0 or due - least > 6 * keep
if outdated then
  due = string.format('%.0f', least + 2 * keep)
end

local text = owner .. string.format(';%.0f;%.0f;%.0f;', request, expiry, token) .. block .. ';' .. due .. ';' .. queue
  .. ';' .. state .. ';' .. holder_about

write('o', text, 'f:' .. inst, string.format('%.0f;%d;%s', req, code, time[1]))
if outdated then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
end
if granted then
  redis.pcall('PUBLISH', channels .. owner,
    string.format('G;%.0f;%.0f;%.0f;%.0f;%.0f;%s', request, token, block, expiry, now, key))
end
if contended then
  redis.pcall('PUBLISH', channels .. owner, 'W;' .. key)
end

if micros % 64 == 0 and redis.call('HLEN', key) > 160 then
  local all, dead = redis.call('HGETALL', key), {}
  for i = 1, #all, 2 do
    if string.sub(all[i], 1, 2) == 'f:' and (string.match(all[i + 1], '%d+$') + 1) * 1000 < now - keep then
      dead[#dead + 1] = all[i]
    end
  end
  for first = 1, #dead, 4000 do
    redis.call('HDEL', key, unpack(dead, first, math.min(first + 3999, #dead)))
  end
end
return {code, now, granted and 1 or 0, granted and token or 0}
