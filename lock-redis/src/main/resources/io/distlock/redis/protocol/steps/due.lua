-- due.lua : a step. How long the key has to stay, at least: "keep" after "ends", the end of the lease, or now if the lock is free,
-- and until the clock has passed "last", the highest token; both are numbers. It may stay longer, so that most scripts find
-- it long enough; if it is "outdated", PEXPIRE has to follow.
local least, passed = ends + keep, (last - last % 1000) / 1000 + 1001
if passed > least then
  least = passed
end
local spare = due - least
local outdated = spare < 0 or spare > 6 * keep
if outdated then
  due = string.format('%.0f', least + 2 * keep)
end
