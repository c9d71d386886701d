-- census.lua : a step. Looks at all who hold the lock together, and forgets those whose lease is over.
count, earliest, speaker = 0, 2 ^ 53, ''
local latest, fields = 0, redis.call('HGETALL', key)
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 2) == 'h:' then
    local ends, token_of = string.match(fields[i + 1], '^%d+;(%d+);(%d+)')
    ends, token_of = tonumber(ends), tonumber(token_of)
    if ends <= now or token_of < first then
      redis.call('HDEL', key, fields[i])
    else
      if ends < earliest then
        earliest, speaker = ends, string.sub(fields[i], 3)
      end
      count, latest = count + 1, math.max(latest, ends)
    end
  end
end
expiry = latest
