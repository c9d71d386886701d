-- save.lua : a step. The record and what goes with it, then the messages.
queue = waiting > 0 and head .. ',' .. tail .. ',' .. waiting or ''
if count > 0 then
  holder_about = string.format('%.0f,%d,%.0f,', first, count, earliest) .. speaker
end
-- @include outlive.lua
-- @include encode.lua
