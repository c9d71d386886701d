package io.distlock.lab.node;

import java.util.List;

import io.distlock.lab.strategy.StrategySupport;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** One plain number in Redis. */
final class RedisShelf implements Shelf {

	private static final RedisScript<Long> FENCED = StrategySupport.script("fenced_write.lua");

	private static final RedisScript<Long> READ = StrategySupport.script("fenced_read.lua");

	private final StringRedisTemplate redis;

	RedisShelf(StringRedisTemplate redis) {
		this.redis = redis;
	}

	@Override
	public int read() {
		return number(this.redis.opsForValue().get(NAME));
	}

	@Override
	public int write(int left) {
		return number(this.redis.opsForValue().getAndSet(NAME, Integer.toString(left)));
	}

	private static int number(@Nullable String text) {
		return (text != null) ? Integer.parseInt(text) : 0;
	}

	@Override
	public int read(long token) {
		Long left = this.redis.execute(READ, List.of(NAME, NAME + ":token"), Long.toString(token));
		return (left != null) ? left.intValue() : 0;
	}

	@Override
	public boolean write(int left, long token) {
		Long written = this.redis.execute(FENCED, List.of(NAME, NAME + ":token"), Integer.toString(left),
				Long.toString(token));
		return written != null && written == 1;
	}

}
