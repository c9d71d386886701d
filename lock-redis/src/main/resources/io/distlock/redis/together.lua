-- together.lua : a step. Those who hold the lock together: token of the first of them, how many, not before when the next
-- one ends, and one of them by name. After record.lua.
local first, count, earliest, speaker = 0, 0, 0, ''
if state == 'S' or state == 'P' then
  first, count, earliest, speaker = string.match(record, '^(%d+),(%d+),(%d+),(.*)$', about_at)
  first, count, earliest = tonumber(first), tonumber(count), tonumber(earliest)
end
