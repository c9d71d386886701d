-- part.lua : a step. The instance of this command does not hold the lock together with others any more.
redis.call('HDEL', key, 'h:' .. inst)
own, count = false, count - 1
if speaker == inst then
  speaker = ''
end
if count == 0 then
  state = 'E'
end
