-- rewrite_own.lua : a step. Writes a hold together with others that goes on, and the record.
-- PEXPIRE comes first, so that the server accepts the rest when memory is full.
-- @include together.lua
expiry, earliest = math.max(expiry, own_expiry), math.min(earliest, own_expiry)
-- @include outlive.lua
local holder_about = string.format('%.0f,%d,%.0f,', first, count, earliest) .. speaker
-- @include encode.lua
redis.call('PEXPIRE', key, string.format('%.0f', due - now))
redis.call('HSET', key, 'o', text, 'h:' .. inst,
  string.format('%.0f;%.0f;%.0f;%.0f;', own, own_expiry, own_token, own_block) .. own_state .. ';' .. own_about)
