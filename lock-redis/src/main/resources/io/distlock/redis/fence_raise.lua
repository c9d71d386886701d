-- fence_raise.lua : second step of a quorum. Raises the token of this node's hold to the one that the instance chose, the
-- highest of all nodes, so that whoever asks a majority later gets a higher one.
-- Atomic because a hold that ended meanwhile must not be touched: then another one may have got its token already.
--
-- KEYS[1] the lock     ARGV 1 instance    2 request    3 token, the first of the block that is kept    4 keep ms
--       5 how many tokens the block has; this node may know of fewer
-- returns {1, now} accepted    {0, now} refused: not the holder, or no longer, or its token is higher already

-- @include clock.lua
local inst, req, raised, keep, tokens = ARGV[1], ARGV[2] + 0, ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0
if not (req >= 1 and req <= 2 ^ 53 and raised >= 1 and raised <= 2 ^ 53 and keep >= 1 and keep <= 1e12
    and tokens >= 1 and tokens <= 1e6) then
  return redis.error_reply('LKARG bad argument')
end
-- @include record.lua
-- @include hold.lua
if own then
  if own ~= req or own_expiry <= now or raised < own_token then
    return {0, now}
  end
  own_token, own_block = raised, math.max(own_block, tokens)
  -- Others may have got higher ones since.
  if own_token + own_block > token + block then
    token, block = own_token, own_block
  end
  -- @include rewrite_own.lua
  return {1, now}
end
if state == 'E' or owner ~= inst or tonumber(request) ~= req or tonumber(expiry) <= now
    or raised < tonumber(token) then
  return {0, now}
end

token, block = raised, math.max(block, tokens)
-- @include outlive.lua
local holder_about = string.sub(record, about_at)
-- @include encode.lua
-- @include rewrite.lua
return {1, now}
