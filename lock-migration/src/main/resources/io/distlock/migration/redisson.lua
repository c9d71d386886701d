-- A lock of Redisson: a hash with a field for its owner, and how often the owner has it.

local function owner_text()
  return redis.call('hkeys', KEYS[1])[1]
end

local function put(text, millis)
  redis.call('del', KEYS[1])
  redis.call('hset', KEYS[1], text, 1)
  redis.call('pexpire', KEYS[1], millis)
end

