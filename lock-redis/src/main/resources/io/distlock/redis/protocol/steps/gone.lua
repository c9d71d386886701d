-- gone.lua : a step, after record.lua. Refuses a renewal of "req", and says whether its hold was released by force.
local forced = string.match(redis.call('HGET', key, 'f:' .. instance) or '', '^(%d+);4;')
return {0, now, forced and forced - req == 0 and 1 or 0}
