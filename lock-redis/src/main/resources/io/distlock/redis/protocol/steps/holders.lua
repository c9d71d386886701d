-- holders.lua : after the usual case. Defines the lock as a table, and functions for its holders.
local head, tail, waiting = 1, 1, 0
if queue ~= '' then
  head, tail, waiting = string.match(queue, '^(%d+),(%d+),(%d+)$')
  -- The span limits loops over positions, and the number of waiters.
  local span = head and #tail < 16 and tail - head
  if not span or span < 0 or span > 1e6 then
    return redis.error_reply('LKFOREIGN key holds other data')
  end
  if waiting - span > 0 then
    waiting = span
  end
end
-- The last three fields describe several holders: how many, not after the earliest expiry, one of the instances.
local count, earliest, sample = 0, 0, ''
if state == 'S' or state == 'P' then
  count, earliest, sample = string.match(record, '^(%d+),(%d+),(.*)$', about_at)
  if not count or #count > 9 or #earliest > 16 then
    return redis.error_reply('LKFOREIGN key holds other data')
  end
end
local lock = { owner = owner, request = request, expiry = expiry, token = token, block = block, due = due, state = state,
  about = record and string.sub(record, about_at) or '', head = head, tail = tail, waiting = waiting + 0,
  count = count + 0, earliest = earliest + 0, sample_holder = sample }

-- The holds that this script begins or changes: { instance, request, expiry, token, block, state, about }, all text. A claim
-- also has the "address" for its message.
local changed = {}

-- Returns whether one more instance may hold the lock beside its holders.
-- sharing  how it wants the lock: 'S' shared, a number for one of so many permits, nil for alone
local function fits(sharing)
  local permits = tonumber(sharing)
  return sharing and lock.state == (permits and 'P' or 'S') and lock.count < (permits or lock.count + 1)
end

-- Records one of several holds that begins or goes on.
-- ends  its expiry, a number; the others as in record.lua
local function change_holder(instance, request, ends, token, block, state, about)
  local expires = string.format('%.0f', ends)
  lock.expiry = ends - lock.expiry > 0 and expires or lock.expiry
  lock.earliest = math.min(lock.earliest, ends)
  changed[#changed + 1] = { instance, request, expires, token, block, state, about }
end

-- Grants the lock to an instance, with the next tokens.
-- state  'H', or 'C' for a claim    sharing  as in fits    the others as in change_holder
local function add_holder(instance, request, ends, block, state, about, sharing)
  lock.token, lock.block = string.format('%.0f', math.max(lock.token + lock.block, micros)), block
  if not sharing then
    lock.owner, lock.request, lock.expiry = instance, request, string.format('%.0f', ends)
    lock.state, lock.about = state, about
    changed[1] = { instance, request, lock.expiry, lock.token, block, state }
    return
  end
  if lock.count == 0 then
    lock.owner, lock.request, lock.state = '*', 0, tonumber(sharing) and 'P' or 'S'
    lock.earliest, lock.expiry = ends, 0
  end
  lock.count, lock.sample_holder = lock.count + 1, instance
  change_holder(instance, request, ends, lock.token, block, state, about)
end

-- Ends the hold of an instance that is one of several holders. After the last one the lock is free.
local function remove_holder(instance)
  redis.call('HDEL', key, 'h:' .. instance)
  lock.count = lock.count - 1
  if lock.sample_holder == instance then
    lock.sample_holder = ''
  end
  if lock.count == 0 then
    lock.state = 'E'
  end
end

-- Reads all holds of several holders, and removes those whose lease is over.
local function scan_holders()
  local count, earliest, latest, sample = 0, 2 ^ 53, 0, ''
  local fields = redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 2) == 'h:' then
      local ends = tonumber(string.match(fields[i + 1], '^%d+;(%d+);') or '')
      if not ends or ends <= now or ends > 2 ^ 53 then
        redis.call('HDEL', key, fields[i])
      else
        if ends < earliest then
          earliest, sample = ends, string.sub(fields[i], 3)
        end
        count, latest = count + 1, math.max(latest, ends)
      end
    end
  end
  lock.count, lock.earliest, lock.sample_holder = count, earliest, sample
  lock.expiry = string.format('%.0f', latest)
end
