package io.distlock.lab.fencing;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

import io.distlock.redis.RedisFence;
import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Freezes a process while it holds the lock, for longer than the lock's lease. A second
 * process gets the lock and writes. Then the first wakes up and writes as well, since it
 * looked at the lock before it was frozen: the plain value is overwritten, the fenced one
 * is not. Both are other JVMs; this one has the Redis.
 */
public final class FencingDemo {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private static final String LEASE = "--distributed-lock.lease-time=15s";

	private static final String TIMEOUT = "--distributed-lock.command-timeout=5s";

	private final Class<?> application;

	private final PrintStream out;

	/**
	 * Creates the demo.
	 * @param application the class whose {@code main} method is a node
	 * @param out where the lines go
	 */
	public FencingDemo(Class<?> application, PrintStream out) {
		this.application = application;
		this.out = out;
	}

	/**
	 * Runs the demo.
	 * @return 0 if the frozen process was refused and told, otherwise 1
	 */
	public int run() {
		try (RedisServer redis = RedisServer.start()) {
			return isRefused(redis) ? 0 : 1;
		}
		catch (IOException ex) {
			throw new IllegalStateException("The demo could not start or stop a process", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return 1;
		}
	}

	private boolean isRefused(RedisServer redis) throws IOException, InterruptedException {
		String host = "--spring.data.redis.host=" + redis.host();
		String port = "--spring.data.redis.port=" + redis.port();
		try (NodeProcess first = NodeProcess.start(this.application, this.out, "first", host, port, LEASE, TIMEOUT);
				NodeProcess second = NodeProcess.start(this.application, this.out, "second", host, port, LEASE,
						TIMEOUT)) {
			first.await(FencingNode.READY, LIMIT);
			second.await(FencingNode.READY, LIMIT);
			first.say("publish");
			first.await(PriceService.HOLDS, LIMIT);
			first.freeze();
			print("The first process is frozen, inside, holding the lock. Its lease is 15 s.");
			second.say("publish");
			second.await(PriceService.HOLDS, LIMIT);
			second.say("write");
			second.await(FencingNode.DONE, LIMIT);
			first.wake();
			print("The first process wakes up and goes on where it stopped.");
			first.say("write");
			first.await(FencingNode.DONE, LIMIT);
			return result(redis, first);
		}
	}

	private boolean result(RedisServer redis, NodeProcess first) {
		String plain = redis.command("GET", PriceService.PLAIN);
		String fenced = fenced(redis);
		boolean refused = first.said(PriceService.REFUSED);
		print("unfenced: written by the %s process last, as if the second had never been", plain);
		print("fenced: written by the %s process last, stale write refused=%s, loss told=%s", fenced, refused,
				first.said(FencingNode.TOLD));
		return refused && first.said(FencingNode.TOLD) && fenced.equals("second");
	}

	private static String fenced(RedisServer redis) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.host(), redis.port());
		connections.start();
		try {
			return new RedisFence(connections).get(PriceService.FENCED).orElse("");
		}
		finally {
			connections.destroy();
		}
	}

	private void print(String format, Object... values) {
		this.out.println(String.format(Locale.ROOT, format, values));
	}

}
