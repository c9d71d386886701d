-- clock.lua : the server's time, read once. Later server versions freeze it per script, earlier ones do not.
local key = KEYS[1]
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)
