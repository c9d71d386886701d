-- acquire.lua as it was when a lock had one holder only: older clients run it during an update.
local key = KEYS[1]
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)

local inst, channels, about = ARGV[1], ARGV[9], ARGV[11] or ''
local req, lease, tokens, keep, not_after = ARGV[2] + 0, ARGV[3] + 0, ARGV[6] + 0, ARGV[7] + 0, ARGV[8] + 0
if not (req >= 1 and req <= 2 ^ 53 and lease >= 1 and lease <= 1e12 and tokens >= 1 and tokens <= 1e6
    and keep >= 1 and keep <= 1e12 and not_after >= 0) or inst == '' or string.find(inst, ';', 1, true) then
  return redis.error_reply('LKARG bad argument')
end
if not_after > 0 and now > not_after then
  return {-3, now}
end
local record = redis.call('HGET', key, 'o')
local owner, request, expiry, token, block, due, queue, state, about_at = '', '0', '0', '0', '1', '0', '', 'E', 1
if record then
  owner, request, expiry, token, block, due, queue, state, about_at =
    string.match(record, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(%d+);([^;]*);(%u);()')
end

if not record and redis.call('EXISTS', key) == 1 then
  return redis.error_reply('LKFOREIGN key holds other data')
end

local finished, waits_at = 0, false
if state == 'E' and owner == inst then
  finished = tonumber(request)
elseif record then
  local known = redis.call('HMGET', key, 'f:' .. inst, 'w:' .. inst)
  finished, waits_at = known[1] and tonumber(string.match(known[1], '^%d+')) or 0, known[2]
end
if finished >= req then
  return {-1, now}
end
local held = state ~= 'E' and owner == inst and tonumber(request)

if KEYS[2] and held ~= req then
  local moment = redis.call('GET', KEYS[2])
  if not moment then
    moment = string.format('%.0f', now + ARGV[10])
    redis.call('SET', KEYS[2], moment)
  end
  if now < tonumber(moment) then
    return {-2, now, tonumber(moment)}
  end
end

if state == 'E' then
  owner, request, expiry, token, block, state = inst, req, now + lease, math.max(token + block, micros), tokens, 'H'
  local holder_about = about
local least = math.max((state == 'E' and now or expiry) + keep, math.floor((token + block - 1) / 1000) + 1001)
local outdated = due - least < 0 or due - least > 6 * keep
if outdated then
  due = string.format('%.0f', least + 2 * keep)
end

local text = owner .. string.format(';%.0f;%.0f;%.0f;', request, expiry, token) .. block .. ';' .. due .. ';' .. queue
  .. ';' .. state .. ';' .. holder_about

  redis.call('HSET', key, 'o', text)
  if outdated then
    redis.call('PEXPIRE', key, string.format('%.0f', due - now))
  end
  return {1, now, expiry, token, tokens, 0}
end

local claim, waiter_ttl = ARGV[4] + 0, ARGV[5] + 0
if not (claim >= 1 and waiter_ttl >= 0 and waiter_ttl + claim <= keep) then
  return redis.error_reply('LKARG bad argument')
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

if held and held > req then
  return {-1, now}
end
if waits_at then
  local _, waiting_request = waiter_at(waits_at)
  if tonumber(waiting_request) > req then
    return {-1, now}
  end
  place = tonumber(waits_at)
  if waiter_ttl == 0 then
    leave(place, inst)
  end
end

local tombstone
if held and held < req then
  tombstone = string.format('%.0f;%d;%s', held, expiry > now and 1 or 2, time[1])
  state = 'E'
end
local asking = inst
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

local code = 1
if state == 'E' then
  token, block, state = math.max(token + block, micros), tokens, 'H'
  owner, request, expiry, holder_about = inst, req, now + lease, about
elseif owner == inst then
  if state == 'C' then
    state, expiry = 'H', now + lease
  end
elseif waiter_ttl == 0 then
  code = 0
  tombstone = string.format('%.0f;0;%s', req, time[1])
else
  code = 2
  if not place then
if waiting > 0 and (waiting % 32 == 0 or tail - head > 2 * waiting) then
  local sweep, free = waiting % 32 == 0, head
  for position = head, tail - 1 do
    local waiter, request_of, alive, claim_of, tokens_of, about_of = waiter_at(position)
    if waiter and sweep and tonumber(alive) <= now then
      leave(position, waiter)
    elseif waiter then
      if free < position then
        redis.call('HDEL', key, 'q:' .. position)
        redis.call('HSET', key, 'w:' .. waiter, free, 'q:' .. free,
          table.concat({ waiter, request_of, alive, claim_of, tokens_of, about_of }, ';'))
      end
      free = free + 1
    end
  end
  tail = free
end

    contended = waiting == 0
    if contended then
      head, tail = 1, 1
    end
    place, tail, waiting = tail, tail + 1, waiting + 1
  end
end

queue = waiting > 0 and head .. ',' .. tail .. ',' .. waiting or ''
local least = math.max((state == 'E' and now or expiry) + keep, math.floor((token + block - 1) / 1000) + 1001)
local outdated = due - least < 0 or due - least > 6 * keep
if outdated then
  due = string.format('%.0f', least + 2 * keep)
end

local text = owner .. string.format(';%.0f;%.0f;%.0f;', request, expiry, token) .. block .. ';' .. due .. ';' .. queue
  .. ';' .. state .. ';' .. holder_about

if place then
  write('o', text, 'w:' .. inst, place, 'q:' .. place,
    string.format('%s;%.0f;%.0f;%.0f;%.0f;%s', inst, req, now + waiter_ttl, claim, tokens, about))
else
  write('o', text)
end
if tombstone then
  redis.call('HSET', key, 'f:' .. inst, tombstone)
end
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

if code == 1 then
  return {code, now, expiry, token, block, waiting}
elseif ARGV[11] then
  return {code, now, expiry, 0, 0, waiting, owner, holder_about, token}
end
return {code, now, expiry, 0, 0, waiting}
