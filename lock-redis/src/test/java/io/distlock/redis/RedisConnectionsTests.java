package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.distlock.redis.RedisConnections.Opened;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What is closed, and when. */
class RedisConnectionsTests {

	private static final RedisConnectionFactory ANY = new JedisConnectionFactory();

	private final List<String> closed = new ArrayList<>();

	private static RedisAddress address(String host) {
		return new RedisAddress(host, 6379, 0, null, null, false);
	}

	private Opened opened(RedisAddress address) {
		if (address.host().equals("wrong")) {
			throw new IllegalArgumentException("wrong");
		}
		return new Opened(ANY, () -> {
			this.closed.add(address.host());
			if (address.host().equals("stuck")) {
				throw new IllegalStateException("stuck");
			}
		});
	}

	private RedisConnections open(String... hosts) {
		List<RedisAddress> addresses = List.of(hosts).stream().map(RedisConnectionsTests::address).toList();
		return RedisConnections.open(addresses, this::opened, () -> this.closed.add("shared"));
	}

	@Test
	void openWhenALaterAddressIsRefusedThenTheEarlierOnesAreClosed() {
		assertThatIllegalArgumentException().isThrownBy(() -> open("a", "b", "wrong", "c")).withMessage("wrong");
		assertThat(this.closed).containsExactly("a", "b", "shared");
	}

	@Test
	void openWhenAnAddressIsRefusedAndClosingFailsThenTheRefusalCounts() {
		assertThatIllegalArgumentException().isThrownBy(() -> open("stuck", "wrong"))
			.withMessage("wrong")
			.satisfies((ex) -> assertThat(ex).hasSuppressedException(new IllegalStateException("stuck")));
		assertThat(this.closed).containsExactly("stuck", "shared");
	}

	@Test
	void closeWhenOneFailsThenTheOthersAreClosedToo() {
		RedisConnections connections = open("a", "stuck", "b");
		assertThat(this.closed).isEmpty();
		assertThatIllegalStateException().isThrownBy(connections::close).withMessage("stuck");
		assertThat(this.closed).containsExactly("a", "stuck", "b", "shared");
	}

	@Test
	void closeWhenTheLastOneFailsTooThenTheFirstFailureHasIt() {
		RedisConnections connections = RedisConnections.open(List.of(address("stuck")), this::opened, () -> {
			throw new IllegalStateException("shared");
		});
		assertThatIllegalStateException().isThrownBy(connections::close)
			.withMessage("stuck")
			.satisfies((ex) -> assertThat(ex).hasSuppressedException(new IllegalStateException("shared")));
	}

	@Test
	void startedWhenAFactoryDoesNotStartThenItIsClosed() {
		assertThatIllegalStateException().isThrownBy(() -> RedisConnections.started(ANY, () -> {
			throw new IllegalStateException("no start");
		}, () -> this.closed.add("factory"))).withMessage("no start");
		assertThat(this.closed).containsExactly("factory");
	}

	@Test
	void startedWhenAFactoryStartsThenItIsClosedLater() {
		Opened opened = RedisConnections.started(ANY, () -> {
		}, () -> this.closed.add("factory"));
		assertThat(this.closed).isEmpty();
		opened.closer().run();
		assertThat(this.closed).containsExactly("factory");
	}

	@Test
	void addressesMadeByHandAreCheckedByBothClients() {
		List<RedisAddress> addresses = List.of(address("a"), new RedisAddress("b", 70_000, 0, null, null, false));
		Duration timeout = Duration.ofSeconds(1);
		assertThatIllegalArgumentException().isThrownBy(() -> RedisConnections.withLettuce(addresses, timeout));
		assertThatIllegalArgumentException().isThrownBy(() -> RedisConnections.withJedis(addresses, timeout));
	}

}
