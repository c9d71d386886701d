-- join.lua : a step. "who" holds the lock together with others from now on, or is the first to do so.
token, block = math.max(token + block, micros), tonumber(amount)
if count == 0 then
  owner, request, state, first, earliest, expiry = '*', 0, tonumber(sharing) and 'P' or 'S', token, ends, ends
end
count, earliest, expiry, speaker = count + 1, math.min(earliest, ends), math.max(expiry, ends), who
joined[#joined + 1] = { who, whose, ends, token, block, as, what }
