-- hold.lua : a step. What the instance of this command holds together with others: "own" is its request. After record.lua.
-- A hold with a token from before the first of them is left over: somebody who did not know of it took the lock meanwhile.
local own = (state == 'S' or state == 'P') and redis.call('HGET', key, 'h:' .. inst)
local own_expiry, own_token, own_block, own_state, own_about
if own then
  own, own_expiry, own_token, own_block, own_state, own_about =
    string.match(own, '^(%d+);(%d+);(%d+);(%d+);(%u);(.*)$')
  own, own_expiry, own_token, own_block = tonumber(own), tonumber(own_expiry), tonumber(own_token), tonumber(own_block)
  if own_token < tonumber(string.match(record, '^%d+', about_at)) then
    own, own_expiry = false, nil
  end
end
