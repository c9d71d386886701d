-- record.lua : a step. Reads the record of a lock. After clock.lua.
--
-- One hash per lock, so that a Cluster slot, an eviction or a migration takes all of it or nothing:
--   o          the record, all that matters while nobody waits:
--              "instance;request;expiry;token;block;due;queue;state;about"
--              instance;request  the holder, or whose request it was that ended
--              expiry            the lease
--              token;block       of the latest grant; the last token of the block is the highest there ever was
--              due               the key stays at least until then
--              queue             "head,tail,waiters", or "" when nobody waits; tail is the next place to give away
--              state             H held, C claimed = granted by a release but not confirmed yet, E ended: the lock is free,
--                                S held by sharers, P held by those with permits
--              about             what the holder says about itself, for messages only; last, because it may be any text
--              With S and P, owner is "*", request 0, expiry at least that of the last hold, and about says
--              "first token,holds,earliest expiry or less,one of the instances or nobody".
--   h:<inst>   with S and P: "request;expiry;token;block;state;about", one of the holds
--   q:<place>  "instance;request;alive until;claim;block;about" of one that waits; a place is empty when its waiter left.
--              about begins with "\S;" if it wants to share, with "\3;" if it wants one of three permits
--   w:<inst>   the place of an instance that waits
--   f:<inst>   "request;code;second", the last request of that instance that ended (its tombstone)
-- The expiry is the lease. The key's own TTL only collects garbage.
--
-- Rules for every script:
--   One TIME. Numbers become text with %.0f: ".." and tostring() keep 14 digits only, a token has 16.
--   Check first, write last: an error does not roll back.
--   The usual case first, and functions behind it: a script creates every function that it passes, used or not. That is
--   why steps are files that are put in where they are needed, and not functions.
--   PUBLISH comes after all writes and through pcall: a missing channel right must not look like a failure.
local record = redis.call('HGET', key, 'o')
local owner, request, expiry, token, block, due, queue, state, about_at = '', '0', '0', '0', '1', '0', '', 'E', 1
if record then
  owner, request, expiry, token, block, due, queue, state, about_at =
    string.match(record, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(%d+);([^;]*);(%u);()')
end
