-- tidy.lua : a step. Now and then: forgets waiters that died, and closes the gaps of those that left.
if waiting > 0 and (waiting % 32 == 0 or tail - head > 2 * waiting) then
  local sweep, free = waiting % 32 == 0, head
  for position = head, tail - 1 do
    local waiter, request_of, alive, claim_of, tokens_of, about_of = waiter_at(position)
    if waiter and sweep and tonumber(alive) <= now then
      leave(position, waiter)
    elseif waiter then
      if free < position then
        redis.call('HDEL', key, 'q:' .. position)
        redis.call('HSET', key, 'w:' .. waiter, free, 'q:' .. free,
          table.concat({ waiter, request_of, alive, claim_of, tokens_of, about_of }, ';'))
      end
      free = free + 1
    end
  end
  tail = free
end
