-- state.lua : what all verbs share. A script is this file followed by the file of one verb.
--
-- One hash per lock, so that a Cluster slot, an eviction or a migration takes all of it or nothing:
--   o          "instance;request;expiry;token;block;claim" of the holder, "" when free
--   T          highest fencing token ever granted or reserved
--   q          the instances that wait, next one first, each followed by ";"
--   w:<inst>   "request;alive until;claim;block" of one that waits
--   f:<inst>   "request;code;ms", the last request of that instance that ended (its tombstone)
--   i:<inst>   what the instance said about itself, for messages only
-- The expiry inside "o" is the lease. The key's own TTL only collects garbage.
--
-- Rules for every script:
--   One TIME: later server versions freeze it per script, earlier ones do not.
--   Numbers become text with %.0f: ".." and tostring() keep 14 digits only, a token has 16.
--   Check first, write last: an error does not roll back.
--   PEXPIRE is the first write of what must work when memory is full: the server refuses HSET then,
--   but only as long as the script has written nothing.
--   PUBLISH comes after all writes and through pcall: a missing channel right must not look like a failure.

local call, format = redis.call, string.format
local key = KEYS[1]
local time = redis.call('TIME')
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now = math.floor(micros / 1000)
local messages = {}

local function whole(number)
  return format('%.0f', number)
end

local function within(number, low, high)
  return number ~= nil and number >= low and number <= high
end

local function parse_owner(text)
  if not text or text == '' then
    return nil
  end
  local inst, req, expiry, token, block, claim = string.match(text, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(%d)$')
  return {
    inst = inst, req = tonumber(req), expiry = tonumber(expiry),
    token = tonumber(token), block = tonumber(block), claim = claim == '1'
  }
end

local function parse_waiter(text)
  if not text then
    return nil
  end
  local req, alive, claim, block = string.match(text, '^(%d+);(%d+);(%d+);(%d+)$')
  return { req = tonumber(req), alive = tonumber(alive), claim = tonumber(claim), block = tonumber(block) }
end

-- The lock as "inst" needs to see it, or nil and an error when the key holds something else.
local function read_lock(inst)
  local fields = call('HMGET', key, 'o', 'T', 'q', 'f:' .. inst, 'w:' .. inst)
  local exists = fields[2] ~= false
  if not exists and redis.call('EXISTS', key) == 1 then
    return nil, redis.error_reply('LKFOREIGN key holds other data')
  end
  local finished, code
  if fields[4] then
    finished, code = string.match(fields[4], '^(%d+);(%d+)')
  end
  return {
    exists = exists,
    inst = inst,
    owner = parse_owner(fields[1]),
    highest = tonumber(fields[2] or 0),
    queue = fields[3] or '',
    waiter = parse_waiter(fields[5]),
    left = false,
    owner_changed = false,
    queue_changed = false,
    waiter_changed = false,
    buried = false,
    tombstone = false,
    holder = false,
    metadata = false,
    finished = tonumber(finished or 0),
    finished_code = tonumber(code or 0)
  }
end

local function count(queue)
  if queue == '' then
    return 0
  end
  local _, number = string.gsub(queue, ';', ';')
  return number
end

local function waiter_of(lock, inst)
  if inst == lock.inst then
    return lock.waiter
  end
  return parse_waiter(redis.call('HGET', key, 'w:' .. inst))
end

local function leave(lock, inst)
  local first, last = string.find(';' .. lock.queue, ';' .. inst .. ';', 1, true)
  lock.queue = string.sub(lock.queue, 1, first - 1) .. string.sub(lock.queue, last)
  lock.queue_changed = true
  lock.left = lock.left or {}
  lock.left[#lock.left + 1] = 'w:' .. inst
  if inst == lock.inst then
    lock.waiter, lock.waiter_changed = nil, false
  end
end

-- Always above every earlier token, and above those of a state that was lost unless the clock is behind it.
local function next_token(lock)
  return math.max(lock.highest + 1, micros)
end

local function own(lock, inst, req, lease, block, claim)
  local token = next_token(lock)
  lock.highest = token + block - 1
  lock.owner = { inst = inst, req = req, expiry = now + lease, token = token, block = block, claim = claim }
  lock.owner_changed = true
end

local function disown(lock)
  lock.owner = nil
  lock.owner_changed = true
end

local function bury(lock, inst, req, code)
  lock.buried = inst
  lock.tombstone = format('%.0f;%d;%.0f', req, code, now)
end

-- 1: ended in time, 2: ended after its lease, though nobody had taken the lock.
local function end_code(owner)
  return owner.expiry > now and 1 or 2
end

local function say(inst, message)
  messages[#messages + 1] = { inst, message }
end

-- Ends an expired hold, and gives a free lock to the first waiter that is alive: for a short time only, until it
-- confirms. "asking" is the instance whose command this is; it learns of its grant by the reply.
local function settle(lock, asking)
  if lock.owner and lock.owner.expiry <= now then
    disown(lock)
  end
  while not lock.owner and lock.queue ~= '' do
    local first = string.match(lock.queue, '^[^;]+')
    local waiter = waiter_of(lock, first)
    leave(lock, first)
    if waiter and waiter.alive > now then
      own(lock, first, waiter.req, waiter.claim, waiter.block, true)
      if first ~= asking then
        local owner = lock.owner
        say(first, format('G;%.0f;%.0f;%.0f;%.0f;%.0f;%s',
          owner.req, owner.token, owner.block, owner.expiry, now, key))
      end
    end
  end
end

-- Longer than any of its parts can matter, and until the clock has passed the highest token.
local function time_to_live(lock, keep)
  local ttl = keep
  if lock.owner then
    ttl = ttl + math.max(lock.owner.expiry - now, 0)
  end
  if lock.highest > micros then
    ttl = math.max(ttl, math.floor((lock.highest - micros) / 1000) + 1000)
  end
  return whole(ttl)
end

local function delete_fields(names)
  for first = 1, #names, 4000 do
    redis.call('HDEL', key, unpack(names, first, math.min(first + 3999, #names)))
  end
end

-- Now and then: forgets instances that went away.
local function prune(lock, keep)
  if micros % 64 ~= 0 or redis.call('HLEN', key) <= 160 then
    return
  end
  local fields, alive, dead = redis.call('HGETALL', key), {}, {}
  if lock.owner then
    alive[lock.owner.inst] = true
  end
  for inst in string.gmatch(lock.queue, '[^;]+') do
    alive[inst] = true
  end
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 2) == 'f:' then
      if tonumber(string.match(fields[i + 1], '(%d+)$')) < now - keep then
        dead[#dead + 1] = fields[i]
      else
        alive[string.sub(fields[i], 3)] = true
      end
    end
  end
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 2) == 'i:' and not alive[string.sub(fields[i], 3)] then
      dead[#dead + 1] = fields[i]
    end
  end
  delete_fields(dead)
end

local function owner_text(owner)
  return format('%s;%.0f;%.0f;%.0f;%.0f;%d',
    owner.inst, owner.req, owner.expiry, owner.token, owner.block, owner.claim and 1 or 0)
end

local function changes(lock)
  local set, waiter, n = {}, lock.waiter, 0
  if lock.owner_changed or not lock.exists then
    set = { 'o', lock.owner and owner_text(lock.owner) or '', 'T', whole(lock.highest) }
    n = 4
  end
  if lock.queue_changed then
    set[n + 1], set[n + 2], n = 'q', lock.queue, n + 2
  end
  if lock.waiter_changed then
    set[n + 1], n = 'w:' .. lock.inst, n + 2
    set[n] = format('%.0f;%.0f;%.0f;%.0f', waiter.req, waiter.alive, waiter.claim, waiter.block)
  end
  if lock.tombstone then
    set[n + 1], set[n + 2], n = 'f:' .. lock.buried, lock.tombstone, n + 2
  end
  if lock.holder then
    set[n + 1], set[n + 2] = 'i:' .. lock.holder, lock.metadata
  end
  return set
end

-- Writes what changed. "refusable" says that nothing is lost if the server refuses for lack of memory.
local function save(lock, keep, refusable)
  local set, ttl = changes(lock), time_to_live(lock, keep)
  if not refusable then
    redis.call('PEXPIRE', key, ttl)
  end
  if lock.left then
    delete_fields(lock.left)
  end
  if #set > 0 then
    redis.call('HSET', key, unpack(set))
  end
  if refusable or not lock.exists then
    redis.call('PEXPIRE', key, ttl)
  end
  if lock.tombstone then
    prune(lock, keep)
  end
end

local function publish(channel_prefix)
  for _, message in ipairs(messages) do
    redis.pcall('PUBLISH', channel_prefix .. message[1], message[2])
  end
end
