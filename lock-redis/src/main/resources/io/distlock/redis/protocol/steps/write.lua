-- write.lua : a step. Writes the record, together with the fields and values in "more". The record consists of the variables of
-- record.lua and of "about_holder". When memory is full, the server refuses HSET only if the script has written nothing before.
local ends, last = state == 'E' and now or expiry, token + block - 1
-- @include steps/due.lua
local text = owner .. ';' .. request .. ';' .. expiry .. ';' .. token .. ';' .. block .. ';' .. due .. ';' .. queue
  .. ';' .. state .. ';' .. about_holder
if type(redis.pcall('HSET', key, 'o', text, unpack(more))) == 'table' then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
  redis.call('HSET', key, 'o', text, unpack(more))
end
if outdated then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
end
