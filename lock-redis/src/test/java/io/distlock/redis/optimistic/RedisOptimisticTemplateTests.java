package io.distlock.redis.optimistic;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.distlock.redis.Client;
import io.distlock.redis.optimistic.OptimisticOutcome.Contended;
import io.distlock.redis.optimistic.OptimisticOutcome.Unchanged;
import io.distlock.redis.optimistic.OptimisticOutcome.Written;
import io.distlock.test.redis.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.StringRedisConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(60)
class RedisOptimisticTemplateTests {

	private static final String KEY = "stock:book";

	private static RedisServer server;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void stock() {
		server.command("FLUSHALL");
		server.command("SET", KEY, "10");
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenNobodyElseWritesThenWrittenAtOnce(Client client) {
		with(client, (template) -> {
			assertThat(template.execute(KEY, take(3))).isEqualTo(new Written<>(7, 1));
			assertThat(stored()).isEqualTo("7");
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenDecisionIsNoThenUnchangedAndNothingWatched(Client client) {
		with(client, (template) -> {
			assertThat(template.execute(KEY, take(11))).isEqualTo(new Unchanged<>(10, 1));
			server.command("SET", KEY, "20");
			assertThat(template.execute(KEY, take(11))).isEqualTo(new Written<>(9, 1));
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenKeyChangesMeanwhileThenReadAgain(Client client) {
		with(client, (template) -> {
			AtomicInteger reads = new AtomicInteger();
			OptimisticOutcome<Integer> outcome = template.execute(KEY, (redis) -> {
				OptimisticChange<Integer> change = take(1).read(redis);
				if (reads.incrementAndGet() <= 2) {
					server.command("DECR", KEY);
				}
				return change;
			});
			assertThat(outcome).isEqualTo(new Written<>(7, 3));
			assertThat(stored()).isEqualTo("7");
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenOneOfSeveralKeysChangesThenReadAgain(Client client) {
		with(client, (template) -> {
			server.command("SET", "price", "5");
			AtomicInteger reads = new AtomicInteger();
			OptimisticOutcome<Integer> outcome = template.execute(List.of(KEY, "price"), (redis) -> {
				int price = Integer.parseInt(String.valueOf(redis.get("price")));
				if (reads.incrementAndGet() == 1) {
					server.command("SET", "price", "6");
				}
				return OptimisticChange.write(price, (writes) -> writes.set("sum", String.valueOf(price)));
			});
			assertThat(outcome).isEqualTo(new Written<>(6, 2));
			assertThat(server.command("GET", "sum")).isEqualTo("6");
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenKeyAlwaysChangesThenContendedAndNothingWritten(Client client) {
		List<Duration> pauses = new ArrayList<>();
		OptimisticSettings settings = OptimisticSettings.builder()
			.maxAttempts(5)
			.backoff(Duration.ofMillis(2))
			.maxBackoff(Duration.ofMillis(9))
			.build();
		with(client, settings, pauses::add, (template) -> {
			OptimisticOutcome<Integer> outcome = template.execute(KEY, (redis) -> {
				server.command("INCR", KEY);
				return OptimisticChange.write(0, (writes) -> writes.set(KEY, "-1"));
			});
			assertThat(outcome).isEqualTo(new Contended<>(5));
			assertThat(outcome.value()).isEmpty();
			assertThat(stored()).isEqualTo("15");
			assertThat(pauses).extracting(Duration::toMillis).containsExactly(2L, 4L, 8L, 9L);
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenDecisionHasNoCommandsThenWritten(Client client) {
		with(client,
				(template) -> assertThat(template.execute(KEY, (redis) -> OptimisticChange.write("done", (writes) -> {
				}))).isEqualTo(new Written<>("done", 1)));
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenDecisionThrowsThenNextChangeIsNotDisturbed(Client client) {
		with(client, (template) -> {
			assertThatIllegalStateException().isThrownBy(() -> template.execute(KEY, (redis) -> {
				throw new IllegalStateException("decision");
			})).withMessage("decision");
			assertThatIllegalStateException()
				.isThrownBy(() -> template.execute(KEY, (redis) -> OptimisticChange.write(1, (writes) -> {
					writes.set(KEY, "0");
					throw new IllegalStateException("writes");
				})))
				.withMessage("writes");
			server.command("SET", KEY, "8");
			assertThat(template.execute(KEY, take(1))).isEqualTo(new Written<>(7, 1));
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenConnectionIsCutWhileReadingThenNothingIsWritten(Client client) {
		with(client, (template) -> {
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> template.execute(KEY, (redis) -> {
					server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
					server.command("SET", KEY, "3");
					return OptimisticChange.write(0, (writes) -> writes.set(KEY, "99"));
				}));
				assertThat(stored()).isEqualTo("3");
			}
			assertThat(template.execute(KEY, take(1))).isEqualTo(new Written<>(2, 1));
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenIdleConnectionWasCutThenWorks(Client client) {
		with(client, (template) -> {
			template.execute(KEY, take(1));
			server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
			// A command that Lettuce is given while it notices the cut may end by its
			// timeout
			// only.
			io.distlock.test.Pause.of(Duration.ofMillis(200));
			assertThat(template.execute(KEY, take(1))).isEqualTo(new Written<>(8, 1));
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenInterruptedBetweenAttemptsThenContendedAndFlagStays(Client client) {
		Pause interrupted = (longest) -> {
			throw new InterruptedException();
		};
		with(client, OptimisticSettings.DEFAULTS, interrupted, (template) -> {
			OptimisticOutcome<Integer> outcome = template.execute(KEY, (redis) -> {
				server.command("INCR", KEY);
				return OptimisticChange.write(0, (writes) -> writes.set(KEY, "-1"));
			});
			assertThat(Thread.interrupted()).isTrue();
			assertThat(outcome).isEqualTo(new Contended<>(1));
		});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenManyCallersMeetThenNoneIsLost(Client client) {
		server.command("SET", KEY, "400");
		with(client, OptimisticSettings.builder().maxAttempts(10_000).build(), RedisOptimisticTemplateTests::yield,
				(template) -> {
					ExecutorService callers = Executors.newFixedThreadPool(8);
					List<Future<?>> all = new ArrayList<>();
					for (int i = 0; i < 8; i++) {
						all.add(callers.submit(() -> {
							for (int sale = 0; sale < 50; sale++) {
								assertThat(template.execute(KEY, take(1))).isInstanceOf(Written.class);
							}
						}));
					}
					for (Future<?> one : all) {
						get(one);
					}
					callers.shutdown();
					assertThat(stored()).isEqualTo("0");
				});
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenAWriteIsOfAnotherTypeThenThrown(Client client) {
		with(client,
				(template) -> assertThatExceptionOfType(DataAccessException.class)
					.isThrownBy(() -> template.execute(KEY,
							(redis) -> OptimisticChange.write(0, (writes) -> writes.hSet(KEY, "field", "value"))))
					.withStackTraceContaining("WRONGTYPE"));
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void executeWhenNoKeyThenRefused(Client client) {
		with(client,
				(template) -> assertThatIllegalArgumentException()
					.isThrownBy(() -> template.execute(List.of(), take(1)))
					.withMessageContaining("No key to watch"));
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void closeWhenConnectionsAreIdleThenNoneIsLeft(Client client) {
		RedisConnectionFactory factory = client.connect(server);
		try {
			RedisOptimisticTemplate template = new RedisOptimisticTemplate(factory);
			template.execute(KEY, take(1));
			template.close();
		}
		finally {
			Client.close(factory);
		}
		assertThat(server.command("CLIENT", "LIST", "TYPE", "normal")).doesNotContain("cmd=exec");
	}

	@Test
	void clusterIsRefused() {
		RedisConnectionFactory lettuce = Client.LETTUCE
			.connect(new RedisClusterConfiguration(List.of(server.host() + ":" + server.port())));
		try {
			assertThatIllegalArgumentException().isThrownBy(() -> new RedisOptimisticTemplate(lettuce))
				.withMessageContaining("Redis Cluster")
				.withMessageContaining("Take a lock, or do it in a script");
		}
		finally {
			Client.close(lettuce);
		}
		RedisConnectionFactory other = fake(RedisConnectionFactory.class, fake(RedisClusterConnection.class, null));
		try (RedisOptimisticTemplate template = new RedisOptimisticTemplate(other)) {
			assertThatIllegalArgumentException().isThrownBy(() -> template.execute(KEY, take(1)))
				.withMessageContaining("Redis Cluster");
		}
	}

	private static <T> T fake(Class<T> type, @Nullable Object answer) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> method.getReturnType().isInstance(answer) ? answer : null));
	}

	private static OptimisticRead<Integer> take(int quantity) {
		return (redis) -> {
			int left = left(redis);
			return (left < quantity) ? OptimisticChange.none(left) : OptimisticChange.write(left - quantity,
					(writes) -> writes.set(KEY, String.valueOf(left - quantity)));
		};
	}

	private static int left(StringRedisConnection redis) {
		return Integer.parseInt(String.valueOf(redis.get(KEY)));
	}

	private static String stored() {
		return String.valueOf(server.command("GET", KEY));
	}

	private static void yield(Duration longest) {
		Thread.onSpinWait();
	}

	private static void get(Future<?> future) {
		try {
			future.get(40, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	private static void with(Client client, Consumer<RedisOptimisticTemplate> test) {
		with(client, OptimisticSettings.DEFAULTS, (longest) -> {
		}, test);
	}

	private static void with(Client client, OptimisticSettings settings, Pause pause,
			Consumer<RedisOptimisticTemplate> test) {
		RedisConnectionFactory factory = client.connect(server);
		Connections connections = (client == Client.LETTUCE) ? LettuceConnections.of(factory)
				: new FactoryConnections(factory);
		try (RedisOptimisticTemplate template = new RedisOptimisticTemplate(connections, settings, pause)) {
			test.accept(template);
		}
		finally {
			Client.close(factory);
		}
	}

}
