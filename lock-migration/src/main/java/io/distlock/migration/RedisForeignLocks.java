package io.distlock.migration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

import io.distlock.LockStoreException;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;

/** Locks that another library keeps in Redis. */
final class RedisForeignLocks implements ForeignLocks {

	private final StringRedisTemplate redis;

	private final Format format;

	private final RedisScript<List> acquire;

	private final RedisScript<List> renew;

	private final RedisScript<List> finish;

	private final RedisScript<List> inspect;

	/**
	 * Creates the locks.
	 * @param connections connections to the Redis of the other library
	 * @param format how the other library keeps a lock
	 */
	RedisForeignLocks(RedisConnectionFactory connections, Format format) {
		this.redis = new StringRedisTemplate(connections);
		this.format = format;
		this.acquire = script("acquire");
		this.renew = script("renew");
		this.finish = script("finish");
		this.inspect = script("inspect");
	}

	private RedisScript<List> script(String verb) {
		StringBuilder text = new StringBuilder();
		for (String part : List.of(this.format.script(), "owner", verb)) {
			try (InputStream lua = Objects.requireNonNull(getClass().getResourceAsStream(part + ".lua"))) {
				text.append(new String(lua.readAllBytes(), StandardCharsets.UTF_8));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return new DefaultRedisScript<>(text.toString(), List.class);
	}

	private Answer run(RedisScript<List> script, String key, Object... arguments) {
		List<?> answer = this.redis.execute(script, List.of(key), arguments);
		return new Answer(((Number) answer.get(0)).intValue(), ((Number) answer.get(1)).longValue(),
				String.valueOf(answer.get(2)));
	}

	private Answer run(RedisScript<List> script, String name, RequestId request, String... arguments) {
		return run(script, this.format.prefix() + name,
				Stream.concat(Stream.of(request.instance(), String.valueOf(request.number())), Stream.of(arguments))
					.toArray());
	}

	@Override
	public Answer acquire(String name, RequestId request, long lease, boolean free, long turn) {
		return run(this.acquire, name, request, String.valueOf(lease), free ? "1" : "0", String.valueOf(turn));
	}

	@Override
	public Answer renew(String name, RequestId request, long lease) {
		return run(this.renew, name, request, String.valueOf(lease));
	}

	@Override
	public Answer finish(String name, RequestId request, long keep, long leave) {
		String key = this.format.prefix() + name;
		return run(this.finish, name, request, String.valueOf(keep), String.valueOf(leave), this.format.channel(key),
				this.format.message(key));
	}

	@Override
	public Answer inspect(String name) {
		return run(this.inspect, this.format.prefix() + name);
	}

	/** Redisson asks again by itself when the time that it was told is over. */
	@Override
	public void tell(String name) {
		String key = this.format.prefix() + name;
		if (!this.format.channelPrefix().isEmpty() && !this.format.tagged()) {
			this.redis.convertAndSend(this.format.channel(key), this.format.message(key));
		}
	}

	@Override
	public LockStoreException translate(String key, String where, RuntimeException failure) {
		String message = where + " did not answer: " + ForeignText.messageOf(failure);
		return (failure instanceof DataAccessException access
				&& !ForeignText.messageOf(access.getMostSpecificCause()).contains("WRONGTYPE"))
						? new TransientStoreException(key, message, failure)
						: new LockStoreException(key, message, failure);
	}

	/**
	 * How a library keeps its locks.
	 *
	 * @param script the script that reads and writes an owner
	 * @param prefix what the library puts before the name of a lock
	 * @param channelPrefix what the channel of a lock begins with, empty if the library
	 * sends no messages
	 * @param tagged whether the channel names the lock in braces
	 */
	record Format(String script, String prefix, String channelPrefix, boolean tagged) {

		static Format redisson() {
			return new Format("redisson", "", "redisson_lock__channel:", true);
		}

		static Format springIntegration(String registryKey) {
			return new Format("value", registryKey + ":", registryKey + "-channel:", false);
		}

		static Format value(String prefix) {
			return new Format("value", prefix, "", false);
		}

		/** Returns the channel that tells of the release of a lock. */
		String channel(String lock) {
			if (this.channelPrefix.isEmpty()) {
				return "";
			}
			return this.channelPrefix + ((this.tagged && !lock.contains("{")) ? "{" + lock + "}" : lock);
		}

		String message(String key) {
			return this.tagged ? "0" : key;
		}

	}

}
