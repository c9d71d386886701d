package io.distlock.lab.strategy;

import java.util.Arrays;
import java.util.List;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** Commands of Redis that write down which scripts of the lab ran. */
final class RecordingRedis extends StringRedisTemplate {

	private final Happenings happenings;

	RecordingRedis(RedisConnectionFactory connections, Happenings happenings) {
		super(connections);
		this.happenings = happenings;
	}

	@Override
	public <T> T execute(RedisScript<T> script, List<String> keys, Object... args) {
		T result = super.execute(script, keys, args);
		if (script instanceof LabScript<T> known) {
			this.happenings.ran(known.name(), keys, Arrays.stream(args).map(String::valueOf).toList(), result);
		}
		return result;
	}

}
