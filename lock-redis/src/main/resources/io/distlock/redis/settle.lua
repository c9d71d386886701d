-- settle.lua : a step. Ends expired holds, and lets in those who wait and are alive, first come first served, as long as the
-- next one may be: for a short time only, until it confirms. If that is "asking" it only leaves the queue, and it is its
-- "turn": it is about to take the lock itself.
if count > 0 and earliest <= now then
  -- @include census.lua
end
if expiry <= now then
  state = 'E'
end
while state == 'E' and waiting > 0 and head < tail or count > 0 and waiting > 0 and head < tail do
  local waiter, waiter_request, alive, waiter_claim, waiter_tokens, waiter_about = waiter_at(head)
  local sharing = waiter and string.match(waiter_about, '^\\(%w+);')
  if waiter and count > 0 then
    if waiter == asking then
      sharing = wanted
    end
    -- @include fits.lua
    if not fits and (waiter == asking or tonumber(alive) > now) then
      break
    end
  end
  if waiter then
    leave(head, waiter)
  end
  head = head + 1
  if waiter and waiter == asking then
    turn = true
    break
  end
  if waiter and tonumber(alive) > now then
    if sharing then
      local who, whose, ends, amount = waiter, tonumber(waiter_request), now + waiter_claim, waiter_tokens
      local as, what = 'C', string.sub(waiter_about, #sharing + 3)
      -- @include join.lua
    else
      token, block, state = math.max(token + block, micros), tonumber(waiter_tokens), 'C'
      owner, request, expiry, holder_about = waiter, tonumber(waiter_request), now + waiter_claim, waiter_about
      granted = true
    end
  end
end
