-- Answer: 1 held, 0 free; what is left of the lease in microseconds; who has it

return {text and 1 or 0, math.max(0, redis.call('pttl', KEYS[1])) * 1000, text or ''}
