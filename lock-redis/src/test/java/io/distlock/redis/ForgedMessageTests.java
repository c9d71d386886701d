package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.distlock.test.ChildJvm;
import io.distlock.test.Pause;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two processes want a lock, and a client that may publish and subscribe, but has no
 * right to any key, tries to deceive them.
 */
@Tag("ci")
class ForgedMessageTests {

	private static final Duration LIMIT = Duration.ofMinutes(3);

	private static final long POISON = 9_007_199_254_740_000L;

	private final RedisServer server = RedisServer.start();

	private final RedisClient client;

	private final RedisAsyncCommands<String, String> forger;

	private final List<ChildJvm> processes = new ArrayList<>();

	ForgedMessageTests() {
		this.server.command("ACL", "SETUSER", "forger", "on", ">secret", "allchannels", "+publish", "+psubscribe",
				"+pubsub", "+hello", "+ping", "+client", "+info", "resetkeys");
		this.client = RedisClient.create(RedisURI.builder()
			.withHost(this.server.host())
			.withPort(this.server.port())
			.withAuthentication("forger", "secret")
			.build());
		this.forger = this.client.connect().async();
	}

	@AfterEach
	void stop() {
		this.processes.forEach(ChildJvm::close);
		this.client.shutdown();
		this.server.close();
	}

	private ChildJvm start(int holdMillis, int holds) {
		ChildJvm process = ChildJvm.of(LockingProcess.class)
			.args(String.valueOf(this.server.port()), String.valueOf(holdMillis), String.valueOf(holds))
			.start();
		this.processes.add(process);
		return process;
	}

	/** From now on holds end. */
	private void release() {
		this.server.command("HSET", "released", "value", "x");
	}

	private void awaitWaiter() {
		await().atMost(LIMIT).until(() -> this.server.command("HKEYS", "lk:" + LockingProcess.KEY).contains("w:"));
	}

	private List<String> channels() throws Exception {
		return this.forger.pubsubChannels("lk:ch:*").get(5, TimeUnit.SECONDS);
	}

	/** All that a client can make up that knows the channels and the keys. */
	private Stream<String> forged(String channel, String key) {
		long now = System.currentTimeMillis();
		String rest = ";64;" + (now + 1000) + ";" + now + ";lk:" + key;
		String far = ";64;" + (now + 1_000_000) + ";" + now + ";lk:" + key;
		String later = ";64;" + (now + 101_500) + ";" + (now + 100_000) + ";lk:" + key;
		String end = channel.substring("lk:ch:".length());
		List<String> messages = new ArrayList<>(List.of("W;lk:" + key, "W;;lk:" + key, "W;" + end + ";lk:" + key, "-",
				"L;lk:" + key, "L;;lk:" + key, "L;" + end + ";lk:" + key, "L;" + "0".repeat(40) + ";lk:" + key,
				"G;" + POISON + ";5" + rest, "P;" + end + ";" + POISON + ";5" + rest));
		for (long number : List.of(1L, 2L, 3L, 4L, 5L, 10L, 100L, POISON)) {
			for (String tail : List.of(rest, far, later)) {
				messages.add("G;" + number + ";" + POISON + tail);
				messages.add("G;" + end + ";;" + number + ";" + POISON + tail);
				messages.add("G;" + end + "0123456789abcdef;;" + number + ";" + (now * 1000) + tail);
				messages.add("G;;1;" + number + ";" + POISON + tail);
			}
		}
		return messages.stream();
	}

	private void forge(String key) throws Exception {
		List<RedisFuture<Long>> sent = new ArrayList<>();
		for (String channel : channels()) {
			forged(channel, key).forEach((message) -> sent.add(this.forger.publish(channel, message)));
		}
		assertThat(LettuceFutures.awaitAll(LIMIT, sent.toArray(RedisFuture[]::new))).isTrue();
	}

	private record Belief(long from, long until, long token) {
	}

	private List<Belief> beliefs() {
		return this.processes.stream()
			.flatMap((process) -> process.lines().stream())
			.filter((line) -> line.startsWith("believed "))
			.map((line) -> line.split(" "))
			.map((parts) -> new Belief(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3])))
			.sorted(Comparator.comparingLong(Belief::from))
			.toList();
	}

	private void assertOneBelieverAtATime(int holds) {
		for (ChildJvm process : this.processes) {
			assertThat(process.awaitExit(LIMIT)).as(process.output()).isZero();
			assertThat(process.printed("stale")).as(process.output()).isFalse();
		}
		List<Belief> beliefs = beliefs();
		assertThat(beliefs).hasSize(holds);
		for (int i = 1; i < beliefs.size(); i++) {
			assertThat(beliefs.get(i).from()).as("%s", beliefs).isGreaterThan(beliefs.get(i - 1).until());
			assertThat(beliefs.get(i).token()).as("%s", beliefs).isGreaterThan(beliefs.get(i - 1).token());
		}
		assertThat(Long.parseLong(this.server.command("HGET", "fenced", "token")))
			.isLessThan(System.currentTimeMillis() * 1000);
	}

	@Test
	void holderAndWaiterAreNotDeceivedByPublishing() throws Exception {
		ChildJvm holder = start(500, 2);
		await().atMost(LIMIT).until(() -> holder.printed("got"));
		ChildJvm waiter = start(500, 1);
		await().atMost(LIMIT).until(() -> waiter.printed("wants") && channels().size() == 2);
		awaitWaiter();
		for (int i = 0; i < 20; i++) {
			forge(LockingProcess.KEY);
			assertThat(waiter.printed("got") && !holder.printed("believed")).as(waiter.output()).isFalse();
			Pause.of(Duration.ofMillis(20));
		}
		release();
		assertOneBelieverAtATime(3);
	}

	@Test
	void processesAreNotDeceivedByWhoAlsoReadsTheirMessages() throws Exception {
		Set<String> published = ConcurrentHashMap.newKeySet();
		StatefulRedisPubSubConnection<String, String> listening = this.client.connectPubSub();
		listening.addListener(new RedisPubSubAdapter<>() {
			@Override
			public void message(String pattern, String channel, String message) {
				String[] parts = message.split(";", 9);
				if (parts.length == 9 && !published.contains(message)) {
					long number = Long.parseLong(parts[3]);
					for (long other : new long[] { number, number + 1, number + 2, POISON }) {
						for (long token : new long[] { POISON, Long.parseLong(parts[4]) + 900_000, 1 }) {
							String forged = String.join(";", parts[0], parts[1], parts[2], String.valueOf(other),
									String.valueOf(token), parts[5], parts[6], parts[7], parts[8]);
							published.add(forged);
							ForgedMessageTests.this.forger.publish(channel, forged);
						}
					}
				}
			}
		});
		listening.sync().psubscribe("lk:ch:*");
		start(5, 60);
		start(5, 60);
		// A process that is done before the other one has started gets no message.
		awaitWaiter();
		release();
		assertOneBelieverAtATime(120);
		assertThat(published).hasSizeGreaterThan(100);
	}

	@Test
	void floodLeavesNothingBehind() throws Exception {
		ChildJvm holder = start(0, 1);
		await().atMost(LIMIT).until(() -> holder.printed("got"));
		String keys = this.server.command("DBSIZE");
		String channel = channels().get(0);
		long now = System.currentTimeMillis();
		List<RedisFuture<Long>> sent = new ArrayList<>();
		for (int i = 0; i < 50_000; i++) {
			String rest = ";64;" + (now + 1000) + ";" + now + ";lk:made-up-" + i;
			sent.add(this.forger.publish(channel, (i % 2 == 0) ? "G;" + POISON + ";" + i + rest
					: "G;" + channel.substring(6) + "0123456789abcdef;;" + i + ";" + i + rest));
		}
		assertThat(LettuceFutures.awaitAll(LIMIT, sent.toArray(RedisFuture[]::new))).isTrue();
		assertThat(this.server.command("DBSIZE")).isEqualTo(keys);
		release();
		assertOneBelieverAtATime(1);
		assertThat(holder.lines().stream().filter((line) -> line.contains("Ignored")).count()).isLessThanOrEqualTo(2);
	}

}
