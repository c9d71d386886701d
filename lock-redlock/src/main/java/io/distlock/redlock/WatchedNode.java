package io.distlock.redlock;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once when a node has not answered for a while, and once when it answers again. As
 * long as a majority answers, nothing else tells that one failure less is tolerated.
 */
final class WatchedNode implements QuorumNode {

	private static final Logger logger = LoggerFactory.getLogger(WatchedNode.class);

	private final QuorumNode node;

	private final Duration patience;

	private final LongSupplier nanoTime;

	private Silence silence = Silence.NONE;

	/**
	 * Creates a watched node.
	 * @param node the node
	 * @param patience how long answers may be missing before the node counts as lost
	 * @param nanoTime the monotonic clock
	 */
	WatchedNode(QuorumNode node, Duration patience, LongSupplier nanoTime) {
		this.node = node;
		this.patience = patience;
		this.nanoTime = nanoTime;
	}

	/** Returns why the node is lost; empty if it is not. */
	synchronized Optional<String> loss() {
		return this.silence.lost() ? Optional.of(name() + " " + this.silence.reason()) : Optional.empty();
	}

	private <T> CompletionStage<T> watched(Supplier<CompletionStage<T>> question) {
		if (isLostNow()) {
			logger
				.warn("Redlock node {} no longer counts, as it {}. Locks go on while a majority of the nodes answers, "
						+ "but fewer other nodes may fail: repair it", name(), reason());
		}
		CompletionStage<T> answer = question.get();
		answer.whenComplete((value, failure) -> {
			if (failure != null) {
				failed(failure);
			}
			else if (isBack()) {
				logger.info("Redlock node {} counts again", name());
			}
		});
		return answer;
	}

	private synchronized boolean isLostNow() {
		long now = this.nanoTime.getAsLong();
		Silence before = this.silence;
		Long since = (before.since() != null) ? before.since() : (Long) now;
		boolean lost = before.lost() || now - since >= this.patience.toNanos();
		this.silence = new Silence(since, before.reason(), lost);
		return lost && !before.lost();
	}

	private synchronized String reason() {
		return this.silence.reason();
	}

	private synchronized void failed(Throwable failure) {
		String text = NodeFailure.of(name(), failure).toString();
		this.silence = new Silence(this.silence.since(), text.substring(name().length() + 1), this.silence.lost());
	}

	private synchronized boolean isBack() {
		boolean before = this.silence.lost();
		this.silence = Silence.NONE;
		return before;
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public CompletionStage<?> start(String instance) {
		synchronized (this) {
			this.silence = Silence.NONE;
		}
		return this.node.start(instance);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return watched(() -> this.node.acquire(command));
	}

	@Override
	public CompletionStage<Boolean> raise(String key, RequestId request, long token, int tokens) {
		return watched(() -> this.node.raise(key, request, token, tokens));
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return watched(() -> this.node.renew(command));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return watched(() -> this.node.finish(key, request, keepFor));
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return watched(() -> this.node.inspect(key));
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return watched(() -> this.node.forceRelease(command));
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return watched(() -> this.node.list(command));
	}

	@Override
	public void stop() {
		this.node.stop();
	}

	/**
	 * What is known since the latest answer.
	 *
	 * @param since when the first question after it was asked, if one was
	 * @param reason why the latest question has no answer
	 * @param lost whether the node counts as lost
	 */
	private record Silence(@Nullable Long since, String reason, boolean lost) {

		static final Silence NONE = new Silence(null, "did not answer", false);

	}

}
