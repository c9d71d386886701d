-- due.lua : a step. Computes until when the key must stay at least: "keep" after "ends", and until the clock has passed "last".
-- "ends" is the end of the lease, or now if the lock is free. "last" is the highest token. Both are numbers.
-- The key may stay longer, so that most scripts find its time long enough. If the time is "outdated", PEXPIRE has to follow.
local least, passed = ends + keep, (last - last % 1000) / 1000 + 1001
if passed > least then
  least = passed
end
local spare = due - least
local outdated = spare < 0 or spare > 6 * keep
if outdated then
  due = string.format('%.0f', least + 2 * keep)
end
