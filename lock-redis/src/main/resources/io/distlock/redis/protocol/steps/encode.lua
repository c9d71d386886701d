-- encode.lua : a step. "text" is the record to write, made of the variables of record.lua and of "about_holder".
local ends, last = state == 'E' and now or expiry, token + block - 1
-- @include steps/due.lua
local text = owner .. ';' .. request .. ';' .. expiry .. ';' .. token .. ';' .. block .. ';' .. due .. ';' .. queue
  .. ';' .. state .. ';' .. about_holder
