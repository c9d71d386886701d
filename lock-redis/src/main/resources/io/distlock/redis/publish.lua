-- publish.lua : a step, the last one. Tells those whom it concerns, each on the channel of its engine: the instance without
-- a dot and what follows it.
if outdated then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
end
if granted then
  joined[#joined + 1] = { owner, request, expiry, token, block, 'C' }
end
for _, hold in ipairs(joined) do
  if hold[6] == 'C' then
    local engine = string.match(hold[1], '^[^.]*')
    local begin = engine == hold[1] and 'G;' or 'P;' .. hold[1] .. ';'
    redis.pcall('PUBLISH', channels .. engine, begin
      .. string.format('%.0f;%.0f;%.0f;%.0f;%.0f;%s', hold[2], hold[4], hold[5], hold[3], now, key))
  end
end
if contended and count > 0 then
  local told, fields = {}, redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    local engine = string.match(fields[i], '^h:([^.]*)')
    if engine and not told[engine] then
      told[engine] = true
      redis.pcall('PUBLISH', channels .. engine, 'W;' .. key)
    end
  end
elseif contended then
  redis.pcall('PUBLISH', channels .. string.match(owner, '^[^.]*'), 'W;' .. key)
end
