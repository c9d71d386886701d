-- renew.lua : extends a hold that is still valid, confirms a pushed grant, reserves more fencing tokens. Follows state.lua.
-- Atomic because a hold that was just lost must not be revived.
--
-- KEYS[1] the lock     ARGV 1 instance    2 request    3 lease ms    4 tokens to reserve, 0 = keep the old ones    5 keep ms
-- returns {1, now, expiry, token, block, waiters}    or {0, now}: not the holder, or no longer

local inst, req, lease, block, keep = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if not (within(req, 1, 2 ^ 53) and within(lease, 1, 1e12) and within(block, 0, 1e6) and within(keep, 1, 1e12)) then
  return redis.error_reply('LKARG bad argument')
end

local fields = redis.call('HMGET', key, 'o', 'T', 'q')
local owner = parse_owner(fields[1])
if not owner or owner.inst ~= inst or owner.req ~= req or owner.expiry <= now then
  return {0, now}
end
local lock = { exists = true, owner = owner, owner_changed = true, highest = tonumber(fields[2]) }
owner.expiry, owner.claim = now + lease, false
if block > 0 then
  owner.token, owner.block = next_token(lock), block
  lock.highest = owner.token + block - 1
end
save(lock, keep, false)
return {1, now, owner.expiry, owner.token, owner.block, count(fields[3] or '')}
