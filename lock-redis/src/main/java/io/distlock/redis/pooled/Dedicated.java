package io.distlock.redis.pooled;

import redis.clients.jedis.ConnectionPool;

/** A connection factory of Jedis that only locks use. */
public interface Dedicated {

	/**
	 * Opens a pool of Jedis for commands. The pool drops connections that were closed
	 * before they were returned, and uses connections that open late.
	 * @return the pool, which connects at its first use
	 */
	ConnectionPool openPool();

}
