-- record.lua : a step, after clock.lua. Reads the record of a lock and, if several instances hold the lock, the own hold.
-- Uses the variable "instance", the instance of this command.
--
-- One hash per lock, so that a Cluster slot, an eviction or a migration affects all of it or nothing. KeyCodec makes its name,
-- HolderCodec makes "about". An instance is the id of an engine. For a permit it is "id.slot", as an engine may hold several
-- permits. For a writer that waits while its engine holds the lock shared it is "id.w". A hold that is kept after its release
-- has no owner: its instance is "~request~instance", with the request and instance of its former owner.
--   o             the record: while nothing waits, the whole state of a lock that is free or has one exclusive holder; each
--                 shared hold and each permit also has a field h:
--                 "instance;request;expiry;token;block;due;queue;state;about"
--                 instance;request  the holder, or the last request that ended
--                 expiry            the end of the lease
--                 token;block       of the latest grant; the last token of the block is the highest there ever was
--                 due               the key stays at least until then
--                 queue             "head,tail,waiting", or "" when nothing waits; tail is the next position to assign
--                 state             H held, C claimed: granted from the queue, not confirmed yet, E ended: the lock is free,
--                                   S held by several in shared mode, P held by one or more with permits
--                 about             what the holder says about itself, for messages only; last, because it may be any text
--                 A lock that was used once keeps only the highest token and due: the instance is "*", request and expiry are 0.
--                 With S and P the instance is "*", the request 0, the expiry not before that of any hold, and about is
--                 "number of holds,not after the earliest expiry,an instance that holds it or nothing".
--   h:<instance>  with S and P only: "request;expiry;token;block;state;about", one of the holds
--   q:<position>  "instance;request;alive until;claim;block;address;about" of a waiter; missing when the waiter left.
--                 address is for messages: 16 digits that name the channel, and the ticket of the request
--                 about begins with "\S;" if it waits to share the lock, with "\3;" if it waits for one of three permits
--   w:<instance>  the position of a waiting instance
--   f:<instance>  "request;code;second", the last request of the instance that ended (its tombstone)
--                 code    what a repeated finish answers: 1 released while valid, 2 released after the lease, 3 was queued
--                         only, 0 unknown here, or busy and not queued, 4 released by force
--                 second  the server's time of the end
-- The expiry is the lease. The key's own TTL only collects garbage.
--
-- Rules for every script:
--   Read TIME once. Values that were read stay text. Arithmetic converts text to numbers; a comparison does not, hence
--   "expiry - now > 0".
--   A result becomes text again with %.0f: ".." and tostring() keep 14 digits only, a token has 16.
--   Check first and write last, because an error does not roll back.
--   A reply that is a list costs the server a block of 16 KB and more, which hurts if many commands come at a time. The usual
--   case answers with one text or number.
--   The usual case comes first, and functions come after it: a script creates all functions that it passes, used or not. Steps of
--   the usual case are texts that "@include" inserts. Redis 6.2 knows neither functions nor "#!lua".
--   PUBLISH comes after all writes and through pcall: a missing right for the channel must not look like a failure.
--   A script refuses a value that does not look like a record before it does anything else. So no value of a key makes a script
--   loop, compute with nil, or return more than a record may have. A script skips a waiter or tombstone that is malformed.
local record = redis.call('HGET', key, 'o')
local owner, request, expiry, token, block, due, queue, state, about_at = '', '0', '0', '0', '1', '0', '', 'E', 1
if record then
  owner, request, expiry, token, block, due, queue, state, about_at =
    string.match(record, '^([^;]+);(%d+);(%d+);(%d+);(%d+);(%d+);([^;]*);(%u);()')
  -- No token of 16 digits begins with a 9, so each token is below 2^53, even with its block.
  if not owner or #record > 8192 or #expiry > 16 or #token > 16 or #token == 16 and token >= '9' or #block > 7 then
    return redis.error_reply('LKFOREIGN key holds other data')
  end
end

-- Finds the own hold: its request, or false.
local own = (state == 'S' or state == 'P') and redis.call('HGET', key, 'h:' .. instance)
local own_expiry, own_token, own_block, own_state, own_about
if own then
  own, own_expiry, own_token, own_block, own_state, own_about =
    string.match(own, '^(%d+);(%d+);(%d+);(%d+);(%u);(.*)$')
  if not own or #own_expiry > 16 or #own_token > 16 or #own_token == 16 and own_token >= '9' or #own_block > 7
      or #own_about > 8192 then
    return redis.error_reply('LKFOREIGN key holds other data')
  end
end
