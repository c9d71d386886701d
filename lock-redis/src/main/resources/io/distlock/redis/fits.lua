-- fits.lua : a step. Whether one more may hold the lock together with those who do: of the same kind, and not too many.
local fits = sharing and state == (tonumber(sharing) and 'P' or 'S') and count < (tonumber(sharing) or count + 1)
