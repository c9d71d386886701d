-- joined.lua : a step, after the record was written. Holds together with others that began or were confirmed.
for _, hold in ipairs(joined) do
  redis.call('HSET', key, 'h:' .. hold[1],
    string.format('%.0f;%.0f;%.0f;%.0f;', hold[2], hold[3], hold[4], hold[5]) .. hold[6] .. ';' .. hold[7])
end
