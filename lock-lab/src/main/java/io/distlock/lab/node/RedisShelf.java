package io.distlock.lab.node;

import java.util.List;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** One plain number in Redis. */
final class RedisShelf implements Shelf {

	private static final RedisScript<Boolean> FENCED = RedisScript
		.of(new ClassPathResource("lab/fenced_write.lua", RedisShelf.class.getClassLoader()), Boolean.class);

	private static final RedisScript<Long> READ = RedisScript
		.of(new ClassPathResource("lab/fenced_read.lua", RedisShelf.class.getClassLoader()), Long.class);

	private final StringRedisTemplate redis;

	RedisShelf(StringRedisTemplate redis) {
		this.redis = redis;
	}

	@Override
	public int read() {
		String left = this.redis.opsForValue().get(NAME);
		return (left != null) ? Integer.parseInt(left) : 0;
	}

	@Override
	public void write(int left) {
		this.redis.opsForValue().set(NAME, Integer.toString(left));
	}

	@Override
	public int read(long token) {
		Long left = this.redis.execute(READ, List.of(NAME, NAME + ":token"), Long.toString(token));
		return (left != null) ? left.intValue() : 0;
	}

	@Override
	public boolean write(int left, long token) {
		return Boolean.TRUE.equals(this.redis.execute(FENCED, List.of(NAME, NAME + ":token"), Integer.toString(left),
				Long.toString(token)));
	}

}
