-- publish.lua : a step, the last one. Tells those whom it concerns.
if outdated then
  redis.call('PEXPIRE', key, string.format('%.0f', due - now))
end
if granted then
  redis.pcall('PUBLISH', channels .. owner,
    string.format('G;%.0f;%.0f;%.0f;%.0f;%.0f;%s', request, token, block, expiry, now, key))
end
if contended then
  redis.pcall('PUBLISH', channels .. owner, 'W;' .. key)
end
