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

	/** When the first question after the latest answer was asked. */
	private @Nullable Long unansweredSince;

	private String latest = "did not answer";

	private boolean lost;

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
		return this.lost ? Optional.of(name() + " " + this.latest) : Optional.empty();
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
		if (this.unansweredSince == null) {
			this.unansweredSince = now;
			this.latest = "did not answer";
		}
		boolean before = this.lost;
		this.lost = before || now - this.unansweredSince >= this.patience.toNanos();
		return this.lost && !before;
	}

	private synchronized String reason() {
		return this.latest;
	}

	private synchronized void failed(Throwable failure) {
		String text = NodeFailure.of(name(), failure).toString();
		this.latest = text.substring(name().length() + 1);
	}

	private synchronized boolean isBack() {
		boolean before = this.lost;
		this.lost = false;
		this.unansweredSince = null;
		return before;
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public CompletionStage<?> start(String instance) {
		synchronized (this) {
			this.lost = false;
			this.unansweredSince = null;
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

}
