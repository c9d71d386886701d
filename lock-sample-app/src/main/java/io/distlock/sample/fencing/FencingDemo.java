package io.distlock.sample.fencing;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

import io.distlock.redis.RedisFence;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Freezes a process while it holds the lock, for longer than the lock's lease. A second
 * process gets the lock and writes. Then the first wakes up and writes as well, since it
 * looked at the lock before it was frozen: the plain value is overwritten, the fenced one
 * is not. Both are JVMs of their own; this one has the Redis.
 */
public final class FencingDemo {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private static final String LEASE = "--distributed-lock.lease-time=6s";

	private static final String TIMEOUT = "--distributed-lock.command-timeout=2s";

	private final Class<?> application;

	private final PrintStream out;

	/**
	 * Creates the demo.
	 * @param application the shop
	 * @param out where the lines go
	 */
	public FencingDemo(Class<?> application, PrintStream out) {
		this.application = application;
		this.out = out;
	}

	/**
	 * Runs the demo.
	 * @param args Spring properties of this process
	 * @return 0 if the frozen process was refused and told, otherwise 1
	 */
	public int run(String... args) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(this.application)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.properties("logging.level.root=warn")
			.run(args)) {
			return isRefused(context) ? 0 : 1;
		}
		catch (IOException ex) {
			throw new IllegalStateException("The demo could not start or stop a process", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return 1;
		}
	}

	private boolean isRefused(ConfigurableApplicationContext context) throws IOException, InterruptedException {
		String host = "--spring.data.redis.host=" + context.getEnvironment().getProperty("spring.data.redis.host");
		String port = "--spring.data.redis.port=" + context.getEnvironment().getProperty("spring.data.redis.port");
		try (NodeProcess first = NodeProcess.start(this.application, this.out, "first", host, port, LEASE, TIMEOUT);
				NodeProcess second = NodeProcess.start(this.application, this.out, "second", host, port, LEASE,
						TIMEOUT)) {
			first.await(FencingNode.READY, LIMIT);
			second.await(FencingNode.READY, LIMIT);
			first.say("publish");
			first.await(PriceService.HOLDS, LIMIT);
			first.freeze();
			print("The first process is frozen, inside, holding the lock. Its lease is 6 s.");
			second.say("publish");
			second.await(PriceService.HOLDS, LIMIT);
			second.say("write");
			second.await(FencingNode.DONE, LIMIT);
			first.wake();
			print("The first process wakes up and goes on where it stopped.");
			first.say("write");
			first.await(FencingNode.DONE, LIMIT);
			return result(context, first);
		}
	}

	private boolean result(ConfigurableApplicationContext context, NodeProcess first) {
		RedisConnectionFactory redis = context.getBean(RedisConnectionFactory.class);
		String plain = new StringRedisTemplate(redis).opsForValue().get(PriceService.PLAIN);
		String fenced = new RedisFence(redis).get(PriceService.FENCED).orElse("");
		boolean refused = first.said(PriceService.REFUSED);
		print("unfenced: written by the %s process last, as if the second had never been", plain);
		print("fenced: written by the %s process last, stale write refused=%s, loss told=%s", fenced, refused,
				first.said(FencingNode.TOLD));
		return refused && first.said(FencingNode.TOLD) && fenced.equals("second");
	}

	private void print(String format, Object... values) {
		this.out.println(String.format(Locale.ROOT, format, values));
	}

}
