-- renew.lua : extends a hold that is still valid, confirms a pushed grant, reserves more fencing tokens.
-- Atomic because a hold that was just lost must not be revived.
--
-- KEYS[1] the lock     ARGV 1 instance    2 request    3 lease ms    4 tokens to reserve, 0 = keep the old ones    5 keep ms
-- returns {1, now, expiry, token, block, waiters}    or {0, now, forced 0/1}: not the holder, or no longer
--         The expiry returned is that of this lease. No renewal shortens a lease: a hold with a later expiry keeps it.

-- @include steps/clock.lua
local instance, req, lease, tokens, keep = ARGV[1], ARGV[2] + 0, ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0
if not (req >= 1 and req <= 2 ^ 53 and lease >= 1 and lease <= 1e12 and tokens >= 0 and tokens <= 1e6
    and keep >= 1 and keep <= 1e12) then
  return redis.error_reply('LKARG bad argument')
end
-- @include steps/record.lua
local expires = now + lease

local alone = state == 'H' or state == 'C'
if alone and (owner ~= instance or request - req ~= 0 or expiry - now <= 0)
    or not alone and (not own or own - req ~= 0 or own_expiry - now <= 0) then
  local forced = string.match(redis.call('HGET', key, 'f:' .. instance) or '', '^(%d+);4;')
  return {0, now, forced and forced - req == 0 and 1 or 0}
end

-- The usual case: one instance holds the lock.
if alone then
  expiry = string.format('%.0f', math.max(expiry, expires))
  state = 'H'
  if tokens > 0 then
    token, block = string.format('%.0f', math.max(token + block, micros)), tokens
  end
  local about_holder, more = string.sub(record, about_at), {}
  -- @include steps/write.lua
  return {1, now, expires, token + 0, block + 0, tonumber(string.match(queue, '%d+$') or 0)}
end

-- @include steps/holders.lua
-- @include steps/save.lua

if tokens > 0 then
  own_token, own_block = string.format('%.0f', math.max(token + block, micros)), tokens
  lock.token, lock.block = own_token, own_block
end
change_holder(instance, own, math.max(own_expiry, expires), own_token, own_block, 'H', own_about)
save()
return {1, now, expires, own_token + 0, own_block + 0, lock.waiting}
