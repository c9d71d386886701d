-- outlive.lua : a step. The key has to stay for "keep" after the lease, and until the clock has passed the highest token.
-- It may stay longer, so that most scripts find it long enough; "outdated" says that PEXPIRE has to follow.
local least = math.max((state == 'E' and now or expiry) + keep, math.floor((token + block - 1) / 1000) + 1001)
local outdated = due - least < 0 or due - least > 6 * keep
if outdated then
  due = string.format('%.0f', least + 2 * keep)
end
