-- save.lua : after holders.lua.

-- Writes the lock, together with more fields and values of its hash, and writes the holds that changed.
local function save(...)
  local owner, request, expiry, token, block = lock.owner, lock.request, lock.expiry, lock.token, lock.block
  local due, state, about_holder, more = lock.due, lock.state, lock.about, { ... }
  local queue = lock.waiting > 0 and lock.head .. ',' .. lock.tail .. ',' .. lock.waiting or ''
  if lock.count > 0 then
    about_holder = string.format('%d,%.0f,', lock.count, lock.earliest) .. lock.sample_holder
  end
  -- @include steps/write.lua
  if lock.count > 0 then
    for _, hold in ipairs(changed) do
      redis.call('HSET', key, 'h:' .. hold[1], table.concat(hold, ';', 2))
    end
  end
end
