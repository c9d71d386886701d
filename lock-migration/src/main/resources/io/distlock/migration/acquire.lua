-- ARGV: instance, number, lease, 1 to take the lock also if it is free or 0 to take only what one of us has left, length of a new turn
-- Answer: 1 granted, 0 busy, -1 this request is over; the time; who had it

local mine = is_ours(tonumber(ARGV[2]))
if instance == ARGV[1] and not mine then
  return {-1, now, ''}
end
if text and instance ~= '' and not mine or not text and ARGV[4] == '0' then
  return {0, now, text or ''}
end
put(ours(turn or now + ARGV[5], ARGV[1], ARGV[2]), ARGV[3])
return {1, now, text or ''}
