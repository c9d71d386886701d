package io.distlock.migration.tests;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.migration.tests.OldLibrary.Old;
import io.distlock.migration.tests.OldLibrary.Place;
import io.distlock.stores.LockTemplates;
import io.distlock.test.Pause;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;

/**
 * A process of an application that moves: it takes one lock again and again, in the way
 * of the deployment that the director says, and counts under it in a way that loses
 * counts when two have the lock.
 */
@EnableAutoConfiguration
class Node {

	static final String LOCK = "1";

	/** All in one slot of a Cluster. */
	static final String PHASE = "{t}phase";

	static final String COUNT = "{t}count";

	static final String INSIDE = "{t}inside";

	/** Whoever takes a turn or waits for one. */
	static final String BUSY = "{t}busy";

	static final String DOUBLES = "{t}doubles";

	static final String TOKEN = "{t}token";

	static final String TURNS = "{t}turns:";

	static final String VICTIM = "{t}victim";

	static final int THREADS = 2;

	private static final DefaultRedisScript<List> ENTER = new DefaultRedisScript<>("""
			redis.call('sadd', KEYS[2], ARGV[1])
			if redis.call('scard', KEYS[2]) > 1 then redis.call('incr', KEYS[3]) end
			local token = tonumber(redis.call('get', KEYS[4]) or 0)
			if tonumber(ARGV[2]) > 0 then
			  if tonumber(ARGV[2]) <= token then redis.call('incr', KEYS[3]) end
			  redis.call('set', KEYS[4], ARGV[2])
			end
			return { redis.call('get', KEYS[1]) or '0', redis.call('get', KEYS[5]) or '' }""", List.class);

	private static final DefaultRedisScript<Long> LEAVE = new DefaultRedisScript<>("""
			redis.call('set', KEYS[1], ARGV[1])
			redis.call('srem', KEYS[2], ARGV[2])
			return redis.call('incr', KEYS[3])""", Long.class);

	private final String id;

	private final String side;

	private final StringRedisTemplate redis;

	Node() {
		this("", "", null);
	}

	private Node(String id, String side, RedisConnectionFactory factory) {
		this.id = id;
		this.side = side;
		this.redis = (factory != null) ? new StringRedisTemplate(factory) : null;
	}

	/**
	 * Runs a process.
	 * @param arguments {@code old} or {@code new}, a number, the library, the address of
	 * Redis, whether it is a Cluster, the URL of the database
	 */
	public static void main(String[] arguments) throws Exception {
		boolean isNew = arguments[0].equals("new");
		OldLibrary library = OldLibrary.valueOf(arguments[2]);
		boolean cluster = Boolean.parseBoolean(arguments[4]);
		if (isNew) {
			runNew(arguments, library, cluster);
		}
		else {
			LettuceConnectionFactory factory = connect(arguments[3], cluster);
			Old old = library.connect(new Place(arguments[3], cluster, factory, arguments[5]));
			Node node = new Node(arguments[1], "old", factory);
			node.run((phase) -> node.oldTurn(old));
		}
		System.exit(0);
	}

	@Bean
	@Lazy
	DataSource database(@Value("${database}") String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(4);
		return pool;
	}

	private static LettuceConnectionFactory connect(String address, boolean cluster) {
		String[] parts = address.split(":");
		LettuceConnectionFactory factory = cluster
				? new LettuceConnectionFactory(new RedisClusterConfiguration(List.of(address)))
				: new LettuceConnectionFactory(parts[0], Integer.parseInt(parts[1]));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static void runNew(String[] arguments, OldLibrary library, boolean cluster) throws Exception {
		String[] settings = library.settings("distributed-lock.store=redis", "distributed-lock.lease-time=15s",
				"distributed-lock.wait-time=30s", "distributed-lock.command-timeout=5s",
				"distributed-lock.redis.quarantine=0s", "distributed-lock.redis.startup-check=warn",
				"database=" + arguments[5],
				"spring.data.redis." + (cluster ? "cluster.nodes=" : "url=redis://") + arguments[3]);
		SpringApplication application = new SpringApplication(Node.class);
		application.setDefaultProperties(java.util.Arrays.stream(settings)
			.map((setting) -> setting.split("=", 2))
			.collect(java.util.stream.Collectors.toMap((setting) -> setting[0], (setting) -> setting[1])));
		ConfigurableApplicationContext context = application.run();
		Node node = new Node(arguments[1], "new", context.getBean(RedisConnectionFactory.class));
		LockTemplate moving = context.getBean(LockTemplate.class);
		LockTemplate ours = context.getBean(LockTemplates.class).of(LockTemplates.DEFAULT);
		boolean ahead = Integer.parseInt(arguments[1]) % 2 == 1;
		node.run((phase) -> {
			boolean old = phase.equals("second") || (phase.equals("third") && !ahead);
			node.newTurn(old ? moving : ours, (phase.equals("third") && ahead) ? "ours" : "new");
		});
		context.close();
	}

	private void run(Turn turn) throws InterruptedException {
		System.out.println("ready");
		List<Thread> threads = java.util.stream.IntStream.range(0, THREADS)
			.mapToObj((i) -> new Thread(() -> repeat(turn), "turns-" + i))
			.toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
	}

	private void repeat(Turn turn) {
		String phase = phase();
		while (!phase.equals("over")) {
			try {
				if (rests(phase)) {
					Pause.of(Duration.ofMillis(20));
				}
				else {
					this.redis.opsForSet().add(BUSY, me());
					try {
						// The director may have ended the phase before this was busy.
						phase = phase();
						if (!rests(phase)) {
							turn.take(phase);
						}
					}
					finally {
						this.redis.opsForSet().remove(BUSY, me());
					}
					Pause.nanos(ThreadLocalRandom.current().nextLong(2_000_000));
				}
			}
			catch (Exception ex) {
				System.out.println("failed: " + ex);
			}
			phase = phase();
		}
	}

	private boolean rests(String phase) {
		return phase.isEmpty() || (phase.equals("third") && this.side.equals("old"));
	}

	private String phase() {
		String phase = this.redis.opsForValue().get(PHASE);
		return (phase != null) ? phase : "";
	}

	private void oldTurn(Old old) throws InterruptedException {
		old.take(LOCK, Duration.ofSeconds(30)).ifPresent((release) -> {
			try {
				body(0, this.side);
			}
			finally {
				release.run();
			}
		});
	}

	private void newTurn(LockTemplate locks, String side) {
		try (LockHandle lock = locks.acquire(LockRequest.of("stock:" + LOCK))) {
			body(lock.fencingToken(), side);
		}
	}

	private String me() {
		return this.side + this.id + ":" + Thread.currentThread().getName();
	}

	private void body(long token, String side) {
		List<?> found = this.redis.execute(ENTER, List.of(COUNT, INSIDE, DOUBLES, TOKEN, VICTIM), me(),
				String.valueOf(token));
		if (found.get(1).equals(this.side + this.id)) {
			System.out.println("inside");
			Pause.of(Duration.ofMinutes(1));
		}
		Pause.nanos(ThreadLocalRandom.current().nextLong(2_000_000));
		this.redis.execute(LEAVE, List.of(COUNT, INSIDE, TURNS + side),
				String.valueOf(Long.parseLong(String.valueOf(found.get(0))) + 1), me());
	}

	/** One turn. */
	@FunctionalInterface
	private interface Turn {

		void take(String phase) throws InterruptedException, DataAccessException;

	}

}
