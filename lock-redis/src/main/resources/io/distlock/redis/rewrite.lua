-- rewrite.lua : a step. Writes the record of a hold that goes on. After encode.lua.
-- When memory is full the server refuses HSET, but only as long as the script has written nothing else.
if type(redis.pcall('HSET', key, 'o', text)) == 'table' then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
  redis.call('HSET', key, 'o', text)
end
if outdated then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
end
