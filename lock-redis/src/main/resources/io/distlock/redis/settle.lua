-- settle.lua : a step. Ends an expired hold, and gives a free lock to the first waiter that is alive: for a short time
-- only, until it confirms. If that is "asking" it only leaves the queue: it is about to take the lock itself.
if expiry <= now then
  state = 'E'
end
while state == 'E' and waiting > 0 and head < tail do
  local waiter, waiter_request, alive, waiter_claim, waiter_tokens, waiter_about = waiter_at(head)
  if waiter then
    leave(head, waiter)
  end
  head = head + 1
  if waiter and waiter == asking then
    break
  end
  if waiter and tonumber(alive) > now then
    token, block, state = math.max(token + block, micros), tonumber(waiter_tokens), 'C'
    owner, request, expiry, holder_about = waiter, tonumber(waiter_request), now + waiter_claim, waiter_about
    granted = true
  end
end
