package io.distlock.benchmark.peer;

import java.util.concurrent.atomic.AtomicLong;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The least that a lock can do with two round trips, on the same kind of client as ours.
 * Not a lock to be used: it does not wait.
 */
final class FloorPeer implements Peer {

	static final String SET_IF_ABSENT = "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])";

	static final String COMPARE_AND_DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

	private final LettuceConnectionFactory factory;

	private final RedisCommands<String, String> commands;

	private final AtomicLong owners = new AtomicLong();

	private final String set;

	private final String delete;

	FloorPeer(RedisAddress redis) {
		this.factory = redis.connect();
		StatefulRedisConnection<String, String> connection = ((RedisClient) this.factory.getRequiredNativeClient())
			.connect(StringCodec.UTF8);
		this.commands = connection.sync();
		this.set = this.commands.scriptLoad(SET_IF_ABSENT);
		this.delete = this.commands.scriptLoad(COMPARE_AND_DELETE);
	}

	@Override
	public Held acquire(String key) {
		String[] keys = { "floor:" + key };
		String owner = Long.toString(this.owners.incrementAndGet());
		while (this.commands.evalsha(this.set, ScriptOutputType.STATUS, keys, owner, "30000") == null) {
			// Only where more threads than keys meet by chance.
			Thread.onSpinWait();
		}
		return () -> {
			Long deleted = this.commands.evalsha(this.delete, ScriptOutputType.INTEGER, keys, owner);
			if (deleted != 1) {
				throw new IllegalStateException("Lost " + key);
			}
		};
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
