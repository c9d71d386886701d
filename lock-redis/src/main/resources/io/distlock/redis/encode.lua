-- encode.lua : a step. The record as it is to be written.
local text = owner .. string.format(';%.0f;%.0f;%.0f;', request, expiry, token) .. block .. ';' .. due .. ';' .. queue
  .. ';' .. state .. ';' .. holder_about
