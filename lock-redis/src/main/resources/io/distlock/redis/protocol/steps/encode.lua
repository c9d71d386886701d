-- encode.lua : a step. "text" is the record to write, made of the variables of record.lua and of "about_holder".
-- The key has to stay for "keep" after the lease, and until the clock has passed the highest token. It may stay longer, so
-- that most scripts find it long enough; if it is "outdated", PEXPIRE has to follow.
local least = math.max((state == 'E' and now or expiry) + keep, math.floor((token + block - 1) / 1000) + 1001)
local spare = due - least
local outdated = spare < 0 or spare > 6 * keep
if outdated then
  due = string.format('%.0f', least + 2 * keep)
end
local text = owner .. ';' .. request .. ';' .. expiry .. ';' .. token .. ';' .. block .. ';' .. due .. ';' .. queue
  .. ';' .. state .. ';' .. about_holder
