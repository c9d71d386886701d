-- queue.lua : after holders.lua and failover.lua. Functions for the waiters.

-- returns instance, request, alive until, claim, tokens, about of the waiter at a position; nil if it left
local function waiter_at(position)
  local text = redis.call('HGET', key, 'q:' .. position)
  if text then
    return string.match(text, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(.*)$')
  end
end

-- Takes a waiting instance from its position.
local function leave(position, instance)
  redis.call('HDEL', key, 'q:' .. position, 'w:' .. instance)
  lock.waiting = lock.waiting - 1
end

-- Takes all waiters from the queue. They ask again, and are refused until the delay after a change of master is over.
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

-- Ends holds whose leases are over. Then grants the lock to waiters that are alive, first come, first served, as long as the
-- next one fits. A grant is a claim: a short hold, until the instance confirms it.
-- asking          the instance of this command, if it acquires: at its turn it only leaves the queue, to take the lock itself
-- asking_sharing  how it wants the lock now, as in fits; it may have wanted it otherwise when it began to wait
-- Too early after a change of master nothing is granted: the former master may have passed the lock on already. A free lock
-- has no waiters, so the queue is forgotten then.
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
    local waiter, request, alive, claim, tokens, about = waiter_at(position)
    if waiter then
      local asks = waiter == asking
      local live = asks or alive - now > 0
      local sharing = string.match(about, '^\\(%w+);')
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
        about = sharing and string.sub(about, #sharing + 3) or about
        add_holder(waiter, request, now + claim, tokens, 'C', about, sharing)
      end
    end
    lock.head = position + 1
  end
  return false
end

-- Publishes the claims of this script, and that something waits, each on the channel of the engine: an instance without its
-- dot and what follows.
-- contended  whether the holders have to learn that something waits
local function publish(contended)
  for _, hold in ipairs(changed) do
    if hold[6] == 'C' then
      local engine = string.match(hold[1], '^[^.]*')
      local begin = engine == hold[1] and 'G;' or 'P;' .. hold[1] .. ';'
      redis.pcall('PUBLISH', channels .. engine, begin .. hold[2] .. ';' .. hold[4] .. ';' .. hold[5] .. ';' .. hold[3]
        .. string.format(';%.0f;', now) .. key)
    end
  end
  if contended and lock.count > 0 then
    local notified, fields = {}, redis.call('HGETALL', key)
    for i = 1, #fields, 2 do
      local engine = string.match(fields[i], '^h:([^.]*)')
      if engine and not notified[engine] then
        notified[engine] = true
        redis.pcall('PUBLISH', channels .. engine, 'W;' .. key)
      end
    end
  elseif contended then
    redis.pcall('PUBLISH', channels .. string.match(lock.owner, '^[^.]*'), 'W;' .. key)
  end
end
