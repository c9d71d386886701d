package io.distlock.redlock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import ch.qos.logback.classic.Level;
import io.distlock.output.LogLines;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/** When a node counts as lost, on virtual time. */
@Isolated // counts lines
class WatchedNodeTests {

	private static final Duration PATIENCE = Duration.ofSeconds(8);

	private static final RequestId REQUEST = RequestId.parse("one", 1);

	private final LogLines log = LogLines.of(WatchedNode.class.getName(), Level.INFO);

	private final ControlledNode node = new ControlledNode("n3");

	private long now;

	private final WatchedNode watched = new WatchedNode(this.node, PATIENCE, () -> this.now);

	@AfterEach
	void listenNoMore() {
		this.log.close();
	}

	private CompletionStage<FinishResult> ask() {
		return this.watched.finish("stock", REQUEST, Duration.ZERO);
	}

	private void answer() {
		ask();
		this.node.finishes.get(this.node.finishes.size() - 1).answer().complete(FinishResult.UNKNOWN);
	}

	private void fail() {
		ask();
		this.node.finishes.get(this.node.finishes.size() - 1)
			.answer()
			.completeExceptionally(new TransientStoreException("stock", "connection refused", null));
	}

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	@Test
	void aNodeThatHangsIsToldOnceAndSoIsItsReturn() {
		answer();
		for (int i = 0; i < 100; i++) {
			ask();
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.watched.loss()).hasValue("n3 did not answer");
		assertThat(this.log.messages(Level.WARN)).singleElement().asString().contains("n3", "did not answer");
		answer();
		answer();
		assertThat(this.watched.loss()).isEmpty();
		assertThat(this.log.messages(Level.INFO)).hasSize(2).endsWith("Redlock node n3 counts again");
	}

	@Test
	void aNodeThatFailsIsToldWithTheReason() {
		for (int i = 0; i < 100; i++) {
			fail();
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.log.messages(Level.WARN)).singleElement().asString().contains("connection refused");
		assertThat(this.watched.loss()).hasValueSatisfying((loss) -> assertThat(loss).contains("connection refused"));
	}

	@Test
	void aFailureNowAndThenIsNoLoss() {
		for (int i = 0; i < 100; i++) {
			fail();
			pass(PATIENCE.dividedBy(2));
			answer();
			pass(PATIENCE.multipliedBy(10));
		}
		assertThat(this.log.events()).isEmpty();
		assertThat(this.watched.loss()).isEmpty();
	}

	@Test
	void anIdleNodeIsNoLoss() {
		answer();
		pass(Duration.ofDays(1));
		answer();
		assertThat(this.log.events()).isEmpty();
	}

	@Test
	void aSecondLossIsToldToo() {
		for (int i = 0; i < 2; i++) {
			fail();
			pass(PATIENCE);
			fail();
			answer();
		}
		assertThat(this.log.messages(Level.WARN)).hasSize(2);
	}

}
