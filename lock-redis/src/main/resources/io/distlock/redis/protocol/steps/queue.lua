-- queue.lua : after holders.lua and failover.lua. Defines functions for the waiters.

-- returns instance, request, alive until, claim, tokens, and "address;about", of the waiter at a position; nil if it left
local function waiter_at(position)
  local text = redis.call('HGET', key, 'q:' .. position)
  if text and #text <= 8192 then
    local waiter, request, alive, claim, tokens, rest = string.match(text, '^([^;]+);(%d+);(%d+);(%d+);(%d+);()')
    if waiter and #request <= 16 and #alive <= 16 and #claim <= 13 and #tokens <= 7 then
      return waiter, request, alive, claim, tokens, string.sub(text, rest)
    end
  end
end

-- Removes a waiting instance from its position.
local function leave(position, instance)
  redis.call('HDEL', key, 'q:' .. position, 'w:' .. instance)
  lock.waiting = lock.waiting - 1
end

-- Removes all waiters from the queue. They ask again, and are refused until the delay after a change of master is over.
local function forget_waiters()
  local fields, waiters = redis.call('HGETALL', key), {}
  for i = 1, #fields, 2 do
    if string.find(fields[i], '^[qw]:') then
      waiters[#waiters + 1] = fields[i]
    end
  end
  for from = 1, #waiters, 4000 do
    redis.call('HDEL', key, unpack(waiters, from, math.min(from + 3999, #waiters)))
  end
  lock.head, lock.tail, lock.waiting = 1, 1, 0
end

-- Ends holds whose leases are over. Then grants the lock to live waiters, first come, first served, as long as the next one
-- fits. A grant is a claim: a short hold, until the instance confirms it.
-- asking          the instance of this command, if it acquires: at its turn it only leaves the queue, and the caller takes the
--                 lock for it
-- asking_sharing  how it wants the lock now, as in fits; it may have wanted it otherwise when it began to wait
-- During the delay after a change of master nothing is granted, because the former master may have passed the lock on already.
-- A free lock must have no waiters, so the queue is forgotten then.
-- returns whether it is the turn of "asking"
local function admit_waiters(asking, asking_sharing)
  if lock.count > 0 and lock.earliest <= now then
    scan_holders()
  end
  if lock.expiry - now <= 0 then
    lock.state = 'E'
  end
  if closed then
    if lock.state == 'E' and lock.waiting > 0 then
      forget_waiters()
    end
    return false
  end
  while (lock.state == 'E' or lock.count > 0) and lock.waiting > 0 and lock.head - lock.tail < 0 do
    local position = lock.head
    local waiter, request, alive, claim, tokens, rest = waiter_at(position)
    if waiter then
      local asks = waiter == asking
      local live = asks or alive - now > 0
      local about_at = (string.find(rest, ';', 1, true) or 0) + 1
      local sharing = string.match(rest, '^\\(%w+);', about_at)
      if asks then
        sharing = asking_sharing
      end
      if lock.count > 0 and live and not fits(sharing) then
        return false
      end
      leave(position, waiter)
      if asks then
        lock.head = position + 1
        return true
      end
      if live then
        local about = string.sub(rest, about_at + (sharing and #sharing + 2 or 0))
        add_holder(waiter, request, now + claim, tokens, 'C', about, sharing)
        changed[#changed].address = string.sub(rest, 1, about_at - 2)
      end
    end
    lock.head = position + 1
  end
  return false
end

-- Publishes the claims of this script, and that something waits. The digest of an engine's id names its channel. The right to
-- publish must not be enough to forge a message. So each message contains something that only the engine and scripts know
-- until then: a claim has the address, whose ticket is for this request only; another message has the digest.
--   G;address;slot;request;token;block;expiry;now;key    slot is what follows the dot of an instance
--   W;digest;key
-- contended  whether to tell the holders that something waits
local function publish(contended)
  for _, hold in ipairs(changed) do
    if hold[6] == 'C' then
      local dot = string.find(hold[1], '.', 1, true)
      redis.pcall('PUBLISH', channels .. string.sub(hold.address, 1, 16), 'G;' .. hold.address .. ';'
        .. (dot and string.sub(hold[1], dot + 1) or '') .. ';' .. hold[2] .. ';' .. hold[4] .. ';' .. hold[5] .. ';' .. hold[3]
        .. string.format(';%.0f;', now) .. key)
    end
  end
  if contended then
    local notified, fields = {}, lock.count > 0 and redis.call('HGETALL', key) or { 'h:' .. lock.owner }
    for i = 1, #fields, 2 do
      local engine = string.match(fields[i], '^h:([^~.][^.]*)')
      if engine and not notified[engine] then
        notified[engine] = true
        local digest = redis.sha1hex(engine)
        redis.pcall('PUBLISH', channels .. string.sub(digest, 1, 16), 'W;' .. digest .. ';' .. key)
      end
    end
  end
end
