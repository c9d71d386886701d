-- gone.lua : a step, after record.lua. Refuses a renewal of "req", and says who ended its hold by force, if anybody did.
local ended, order = string.match(redis.call('HGET', key, 'f:' .. instance) or '', '^(%d+);4;%d+;(.*)$')
return {0, now, ended and ended - req == 0 and #order <= 4096 and order or ''}
