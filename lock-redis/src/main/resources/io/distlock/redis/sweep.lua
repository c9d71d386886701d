-- sweep.lua : a step. Now and then: forgets waiters that died.
if waiting > 0 and waiting % 32 == 0 then
  for position = head, tail - 1 do
    local waiter, _, alive = waiter_at(position)
    if waiter and tonumber(alive) <= now then
      leave(position, waiter)
    end
  end
end
