-- rewrite.lua : a step. Writes the record of a hold of one instance that goes on.
-- When memory is full the server refuses HSET, but only as long as the script has written nothing else.
local about_holder = string.sub(record, about_at)
-- @include steps/encode.lua
if type(redis.pcall('HSET', key, 'o', text)) == 'table' then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
  redis.call('HSET', key, 'o', text)
end
if outdated then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
end
