-- list.lua : finds locks of this server that are held or waited for, a few at a time. Writes nothing.
-- A script, because a lock may be free and there may be many free locks: the server leaves them out, with one HGET for each.
-- SCAN reads about COUNT keys and returns. KEYS would read all keys while all other commands wait.
--
-- KEYS[1] any key of this server, which sends the script to one of the masters of a Cluster
-- ARGV 1 cursor of SCAN    2 pattern of the names    3 how many keys to look at
-- returns {0, now, next cursor, name, name, ...}

-- @include steps/clock.lua
local found = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local reply = {0, now, found[1]}
for _, name in ipairs(found[2]) do
  -- The key may contain data of another kind.
  local record = redis.pcall('HGET', name, 'o')
  local queue, state = string.match(type(record) == 'string' and record or '',
    '^[^;]+;%d+;%d+;%d+;%d+;%d+;([^;]*);(%u);')
  if state and (state ~= 'E' or queue ~= '') then
    reply[#reply + 1] = name
  end
end
return reply
