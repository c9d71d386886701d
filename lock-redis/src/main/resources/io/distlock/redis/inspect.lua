-- inspect.lua : looks at a lock. Follows state.lua. Atomic because fields and clock must be of one moment.
-- Writes nothing, so EVALSHA_RO and replicas may run it.
--
-- KEYS[1] the lock
-- returns {now in microseconds, pttl, field, value, field, value, ...} with the fields of state.lua, except that the queue
-- comes unpacked and in order, each waiter as "w:<inst>", "request;alive until;claim;block"

local reply = {micros, redis.call('PTTL', key)}
local function add(field, value)
  reply[#reply + 1] = field
  reply[#reply + 1] = value
end
local fields = redis.call('HGETALL', key)
for i = 1, #fields, 2 do
  if fields[i] == 'q' then
    for _, waiter in ipairs(parse_queue(fields[i + 1])) do
      add('w:' .. waiter.inst,
        string.format('%.0f;%.0f;%.0f;%.0f', waiter.req, waiter.alive, waiter.claim, waiter.block))
    end
  else
    add(fields[i], fields[i + 1])
  end
end
return reply
