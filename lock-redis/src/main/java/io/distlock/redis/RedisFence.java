package io.distlock.redis;

import java.util.List;
import java.util.Optional;

import io.distlock.StaleFencingTokenException;
import io.distlock.redis.protocol.LockScript;
import io.distlock.support.KeyText;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Stores values in Redis that only the latest holder of a lock can change. A value
 * remembers the highest fencing token with which it was set, and refuses lower tokens. So
 * a process that stopped while it held the lock overwrites nothing when it continues
 * after later holders.
 * <p>
 * A value is a hash with the fields {@code value} and {@code token}, at a key that the
 * application chooses. The key must neither expire nor be deleted; otherwise its token
 * would be forgotten. Tokens of different locks cannot be compared, so set a value under
 * one lock only. Methods block until Redis answers, and throw the exception of Spring
 * Data Redis if it does not. Thread-safe.
 */
public final class RedisFence {

	private static final RedisScript<Long> SCRIPT = RedisScript.of(LockScript.read("verbs/fenced_set.lua"), Long.class);

	private final StringRedisTemplate redis;

	/**
	 * Creates a fence; does not connect.
	 * @param factory the application's connection factory
	 */
	public RedisFence(RedisConnectionFactory factory) {
		this.redis = new StringRedisTemplate(factory);
	}

	/**
	 * Sets a value, unless it was set with a higher token before.
	 * @param key name of the Redis key
	 * @param value the value
	 * @param token fencing token of the held lock
	 * @throws StaleFencingTokenException if a later holder has set the value, which stays
	 * unchanged then
	 * @throws IllegalArgumentException if the token is not positive
	 */
	public void set(String key, String value, long token) {
		if (token <= 0) {
			throw new IllegalArgumentException("'" + KeyText.of(key) + "' needs the fencing token of a lock, was "
					+ token + ": was the method called without its lock?");
		}
		Long higher = this.redis.execute(SCRIPT, List.of(key), Long.toString(token), value);
		if (higher == null) {
			throw new IllegalStateException("A fenced value cannot be set in a pipeline or MULTI: whether its token "
					+ "is too old would not be known");
		}
		if (higher > 0) {
			throw new StaleFencingTokenException(key, token, higher);
		}
	}

	/**
	 * Reads a value.
	 * @param key name of the Redis key
	 * @return the value; empty if it was never set
	 */
	public Optional<String> get(String key) {
		return Optional.ofNullable(this.redis.<String, String>opsForHash().get(key, "value"));
	}

}
