-- A lock of Spring Integration, ShedLock or lock4j: a string that names its owner.

local function owner_text()
  return redis.call('get', KEYS[1])
end

local function put(text, millis)
  redis.call('set', KEYS[1], text, 'px', millis)
end

