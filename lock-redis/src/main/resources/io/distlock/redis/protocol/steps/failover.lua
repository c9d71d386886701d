-- failover.lua : a step, after clock.lua. Finds until when this server grants no lock because it became the master lately.
-- A key, the marker, contains "moment;id": the end of the delay, and the replication id of the master that set it. A server
-- gets another id when it becomes a master and when it starts. So a missing marker, or one with another id, begins a delay.
-- An operator ends a delay early by setting the marker to "0".
-- Takes the variables "guard": "delay ms;marker", or nil for no delay, and "begins": whether to write the marker.
-- Sets "closed_until", a moment or 0, and "closed".
local closed_until = 0
if guard then
  local delay, marker = string.match(guard, '^(%d+);(.+)$')
  local id = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
  if not id then
    return redis.error_reply('LKREPLID no master_replid in INFO replication')
  end
  local moment, seen = string.match(redis.call('GET', marker) or '', '^(%d+);?(%w*)$')
  if seen ~= id then
    moment = moment == '0' and seen == '' and '0' or string.format('%.0f', now + delay)
    if begins then
      redis.call('SET', marker, moment .. ';' .. id)
    end
  end
  closed_until = tonumber(moment)
end
local closed = closed_until > now
