-- clock.lua : a step. Reads the lock's key and, once, the server's time: Redis 6.2 does not freeze the time in a script.
local key = KEYS[1]
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = (micros - micros % 1000) / 1000
