-- save.lua : a step. The record and what goes with it, then the messages.
queue = waiting > 0 and head .. ',' .. tail .. ',' .. waiting or ''
-- @include outlive.lua
-- @include encode.lua
