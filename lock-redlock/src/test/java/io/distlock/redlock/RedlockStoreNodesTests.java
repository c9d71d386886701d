package io.distlock.redlock;

import java.util.List;
import java.util.stream.Stream;

import io.distlock.LockStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedlockStoreNodesTests {

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 4, 6 })
	void newWhenNotAnOddNumberOfAtLeastThreeThenRefused(int count) {
		List<RedlockNode> nodes = Stream.iterate(1, (number) -> number + 1)
			.limit(count)
			.map((number) -> new RedlockNode("n" + number, new LettuceConnectionFactory()))
			.toList();
		assertThatIllegalArgumentException().isThrownBy(() -> new RedlockStore(nodes))
			.withMessage("Redlock needs an odd number of at least 3 nodes, there are " + count);
	}

	@Test
	void newWhenANodeIsThereTwiceThenRefused() {
		RedisConnectionFactory factory = new LettuceConnectionFactory();
		RedlockNode one = new RedlockNode("n1", factory);
		RedlockNode two = new RedlockNode("n2", new LettuceConnectionFactory());
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> new RedlockStore(List.of(one, two, new RedlockNode("n1", new LettuceConnectionFactory()))))
			.withMessage("Redlock node 'n1' is listed twice");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedlockStore(List.of(one, two, new RedlockNode("n3", factory))))
			.withMessage("Redlock node 'n3' is listed twice");
	}

	@Test
	void startWhenANodeIsUnfitThenNoneIsLeftRunning() {
		List<ControlledNode> nodes = Stream.of("n1", "n2", "n3").map(ControlledNode::new).toList();
		nodes.get(1).unfit = true;
		RedlockStore store = new RedlockStore(List.copyOf(nodes), RedlockSettings.DEFAULTS, ManualTimer::new,
				() -> 0.5);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> store.start("one", null));
		assertThat(nodes).noneMatch((node) -> node.running);
		nodes.get(1).unfit = false;
		store.start("one", null);
		assertThat(nodes).allMatch((node) -> node.running);
	}

}
