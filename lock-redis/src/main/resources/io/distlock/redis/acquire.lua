-- acquire.lua : acquires, polls while waiting, and confirms a pushed grant.
-- Atomic because looking, deciding and taking must be one step. Repeating it for the same (instance, request) is harmless.
--
-- KEYS[1] the lock     KEYS[2] optional boot marker (not in Cluster): no grants for a while after a server lost its data
-- ARGV  1 instance, without ";"    2 request, grows per instance    3 lease ms    4 claim ms, lease of a pushed grant
--       5 waiter ttl ms, 0 = do not queue    6 tokens to reserve    7 keep ms, how long an ended request is remembered
--       8 not-after, server ms, 0 = none    9 channel prefix    10 quarantine ms, with KEYS[2]
--       11 optional: what the instance says about itself
--       12 optional: S to share the lock, or how many permits there are, of which one is wanted; else to hold it alone
-- returns { 1, now, expiry, token, block, waiters}          holds the lock
--         { 2, now, holder's expiry, 0, 0, waiters}         queued
--         { 0, now, holder's expiry, 0, 0, waiters}         busy, the request is over
--         {-1, now}                                         the request was over before: a late copy
--         {-2, now, until}                                  quarantined
--         {-3, now}                                         arrived after its not-after time
--         With ARGV[11], 2 and 0 also have: holder's instance, what it said about itself, holder's token.
--         If several hold it, holder is one of them, and the expiry is not after that of the first one to end.

-- @include clock.lua
local inst, channels, about, wanted = ARGV[1], ARGV[9], ARGV[11] or '', ARGV[12]
local req, lease, tokens, keep, not_after = ARGV[2] + 0, ARGV[3] + 0, ARGV[6] + 0, ARGV[7] + 0, ARGV[8] + 0
if not (req >= 1 and req <= 2 ^ 53 and lease >= 1 and lease <= 1e12 and tokens >= 1 and tokens <= 1e6
    and keep >= 1 and keep <= 1e12 and not_after >= 0) or inst == '' or string.find(inst, ';', 1, true)
    or wanted and wanted ~= 'S' and not string.find(wanted, '^[1-9]%d*$') then
  return redis.error_reply('LKARG bad argument')
end
if not_after > 0 and now > not_after then
  return {-3, now}
end
-- @include record.lua
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
-- @include hold.lua
local held = own or state ~= 'E' and owner == inst and tonumber(request)

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

-- The usual case: the lock is free, and so nobody waits.
if state == 'E' then
  owner, request, expiry, token, block, state = inst, req, now + lease, math.max(token + block, micros), tokens, 'H'
  local holder_about = about
  if wanted then
    owner, request, state = '*', 0, wanted == 'S' and 'S' or 'P'
    holder_about = string.format('%.0f,1,%.0f,', token, expiry) .. inst
  end
  -- @include outlive.lua
  -- @include encode.lua
  if wanted then
    redis.call('HSET', key, 'o', text, 'h:' .. inst,
      string.format('%.0f;%.0f;%.0f;%.0f;H;', req, expiry, token, tokens) .. about)
  else
    redis.call('HSET', key, 'o', text)
  end
  if outdated then
    redis.call('PEXPIRE', key, string.format('%.0f', due - now))
  end
  return {1, now, expiry, token, tokens, 0}
end

local claim, waiter_ttl = ARGV[4] + 0, ARGV[5] + 0
if not (claim >= 1 and waiter_ttl >= 0 and waiter_ttl + claim <= keep) then
  return redis.error_reply('LKARG bad argument')
end
-- @include waiters.lua
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

-- A hold of an earlier request has no believer any more: its instance has one request at a time.
local tombstone
if held and held < req then
  tombstone = string.format('%.0f;%d;%s', held, (own_expiry or expiry) > now and 1 or 2, time[1])
  if own then
    -- @include part.lua
  else
    state = 'E'
  end
end
local asking, turn = inst, false
-- @include settle.lua

local code, sharing = 1, wanted
-- @include fits.lua
if own and own_expiry <= now then
  own = false
end
if own then
  if own_state == 'C' then
    own_state, own_expiry = 'H', now + lease
    earliest, expiry = math.min(earliest, own_expiry), math.max(expiry, own_expiry)
    joined[#joined + 1] = { inst, req, own_expiry, own_token, own_block, 'H', own_about }
  end
elseif wanted and (state == 'E' or turn or fits and waiting == 0) then
  local who, whose, ends, amount, as, what = inst, req, now + lease, tokens, 'H', about
  -- @include join.lua
  own, own_expiry, own_token, own_block = req, ends, token, block
  -- Those behind it may now be let in together with it.
  asking = nil
  -- @include settle.lua
elseif state == 'E' then
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
    -- @include tidy.lua
    contended = waiting == 0
    if contended then
      head, tail = 1, 1
    end
    place, tail, waiting = tail, tail + 1, waiting + 1
  end
end

if code ~= 1 and count > 0 and speaker == '' then
  -- @include census.lua
end
if place and wanted then
  about = '\\' .. wanted .. ';' .. about
end

-- @include save.lua
if place then
  write('o', text, 'w:' .. inst, place, 'q:' .. place,
    string.format('%s;%.0f;%.0f;%.0f;%.0f;%s', inst, req, now + waiter_ttl, claim, tokens, about))
else
  write('o', text)
end
if tombstone then
  redis.call('HSET', key, 'f:' .. inst, tombstone)
end
-- @include joined.lua
-- @include publish.lua
if code == 1 and own then
  return {code, now, own_expiry, own_token, own_block, waiting}
elseif code == 1 then
  return {code, now, expiry, token, block, waiting}
end
if count > 0 then
  local spoken = redis.call('HGET', key, 'h:' .. speaker)
  owner, expiry = speaker, earliest
  token, holder_about = string.match(spoken, '^%d+;%d+;(%d+);%d+;%u;(.*)$')
  token = tonumber(token)
end
if ARGV[11] then
  return {code, now, expiry, 0, 0, waiting, owner, holder_about, token}
end
return {code, now, expiry, 0, 0, waiting}
