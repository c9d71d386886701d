-- renew.lua : extends a hold that is still valid, confirms a pushed grant, reserves more fencing tokens.
-- Atomic because a hold that was just lost must not be revived.
--
-- KEYS[1] the lock     ARGV 1 instance    2 request    3 lease ms    4 tokens to reserve, 0 = keep the old ones    5 keep ms
--                         6 "1" = the last one: nobody believes in the hold any more, and it ends with this lease, be it sooner
-- returns {1, now, expiry, token, block, waiters}    or {0, now}: not the holder, or no longer
--         The expiry returned is that of this lease; the lock's own is later if a longer lease was asked for before.

-- @include clock.lua
local inst, req, lease, tokens, keep = ARGV[1], ARGV[2] + 0, ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0
local last = ARGV[6] == '1'
if not (req >= 1 and req <= 2 ^ 53 and lease >= 1 and lease <= 1e12 and tokens >= 0 and tokens <= 1e6
    and keep >= 1 and keep <= 1e12) then
  return redis.error_reply('LKARG bad argument')
end
-- @include record.lua
-- @include hold.lua
if own then
  if own ~= req or own_expiry <= now then
    return {0, now}
  end
  local asked = now + lease
  own_expiry = own_state == 'H' and not last and math.max(own_expiry, asked) or asked
  own_state = 'H'
  if tokens > 0 then
    token, block = math.max(token + block, micros), tokens
    own_token, own_block = token, block
  end
  -- @include rewrite_own.lua
  return {1, now, asked, own_token, own_block, tonumber(string.match(queue, '%d+$') or 0)}
end
if state == 'E' or owner ~= inst or tonumber(request) ~= req or tonumber(expiry) <= now then
  return {0, now}
end

-- Never brings the end of a hold that is believed in forward: this may be a late copy of a renewal that was answered long ago.
local asked = now + lease
expiry = state == 'H' and not last and math.max(tonumber(expiry), asked) or asked
state = 'H'
if tokens > 0 then
  token = math.max(token + block, micros)
  block = tokens
end
-- @include outlive.lua
local holder_about = string.sub(record, about_at)
-- @include encode.lua
-- @include rewrite.lua
return {1, now, asked, tonumber(token), tonumber(block), tonumber(string.match(queue, '%d+$') or 0)}
