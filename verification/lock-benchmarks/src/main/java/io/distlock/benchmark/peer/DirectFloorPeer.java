package io.distlock.benchmark.peer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** The floor on a pool of Jedis connections. */
final class DirectFloorPeer implements Peer {

	private final JedisConnectionFactory factory;

	private final AtomicLong owners = new AtomicLong();

	private final String set;

	private final String delete;

	DirectFloorPeer(RedisAddress redis) {
		this.factory = redis.connectJedis();
		try (RedisConnection connection = this.factory.getConnection()) {
			this.set = connection.scriptingCommands().scriptLoad(bytes(FloorPeer.SET_IF_ABSENT));
			this.delete = connection.scriptingCommands().scriptLoad(bytes(FloorPeer.COMPARE_AND_DELETE));
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public Held acquire(String key) {
		byte[] name = bytes("floor:" + key);
		byte[] owner = bytes(Long.toString(this.owners.incrementAndGet()));
		while (run(this.set, ReturnType.STATUS, name, owner, bytes("30000")) == null) {
			Thread.onSpinWait();
		}
		return () -> {
			if (!Long.valueOf(1).equals(run(this.delete, ReturnType.INTEGER, name, owner))) {
				throw new IllegalStateException("Lost " + key);
			}
		};
	}

	private Object run(String script, ReturnType type, byte[]... arguments) {
		try (RedisConnection connection = this.factory.getConnection()) {
			return connection.scriptingCommands().evalSha(script, type, 1, arguments);
		}
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
