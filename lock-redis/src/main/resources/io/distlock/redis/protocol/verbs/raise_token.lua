-- raise_token.lua : second step of a quorum. Raises the token of this node's hold to the token that the instance chose. That
-- token is the highest of all nodes, so that a later instance that asks a majority gets a higher one.
-- Atomic because the script must not touch a hold that ended meanwhile: another instance may have got its token already.
--
-- KEYS[1] the lock     ARGV 1 instance    2 request    3 token, the first of the block that is kept    4 keep ms
--       5 how many tokens the block has; this node may know of fewer
-- returns {1, now} accepted    {0, now} refused: not the holder, or no longer, or its token is higher already

-- @include steps/clock.lua
local instance, req, raised, keep, tokens = ARGV[1], ARGV[2] + 0, ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0
if not (req >= 1 and req <= 2 ^ 53 and raised >= 1 and raised + tokens <= 9e15 and keep >= 1 and keep <= 1e12
    and tokens >= 1 and tokens <= 1e6) then
  return redis.error_reply('LKARG bad argument')
end
-- @include steps/record.lua

-- The usual case: one instance holds the lock.
if state == 'H' or state == 'C' then
  if owner ~= instance or request - req ~= 0 or expiry - now <= 0 or raised - token < 0 then
    return {0, now}
  end
  token, block = string.format('%.0f', raised), math.max(block, tokens)
  local about_holder, more = string.sub(record, about_at), {}
  -- @include steps/write.lua
  return {1, now}
end

if not own or own - req ~= 0 or own_expiry - now <= 0 or raised - own_token < 0 then
  return {0, now}
end
-- @include steps/holders.lua
-- @include steps/save.lua

own_token, own_block = string.format('%.0f', raised), math.max(own_block, tokens)
-- Other instances may have got higher tokens since.
if own_token + own_block > token + block then
  lock.token, lock.block = own_token, own_block
end
change_holder(instance, own, own_expiry + 0, own_token, own_block, own_state, own_about)
save()
return {1, now}
