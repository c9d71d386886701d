-- clock.lua : a step. The lock's key and the server's time, read once: Redis 6.2 does not freeze the time in a script.
local key = KEYS[1]
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = (micros - micros % 1000) / 1000
