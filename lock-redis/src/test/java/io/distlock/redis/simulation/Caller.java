package io.distlock.redis.simulation;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LossReason;
import io.distlock.LockStoreException;
import io.distlock.spi.Sharing;

/**
 * Acquires a lock, changes what it protects, and releases it, again and again, without a
 * thread.
 */
final class Caller {

	private static final long PATIENT_MILLIS = 30_000;

	private final World world;

	private final Node node;

	private State state = State.THINKING;

	private LockRequest request = LockRequest.of("nothing");

	private long place;

	private long waitMillis;

	private long since;

	private boolean cancelled;

	Caller(World world, Node node) {
		this.world = world;
		this.node = node;
		think();
	}

	Node node() {
		return this.node;
	}

	String key() {
		return this.request.key();
	}

	/** How it wants the lock. */
	Sharing sharing() {
		return Sharing.of(this.request);
	}

	/** When it came, compared to the others of its process. */
	long place() {
		return this.place;
	}

	boolean waiting() {
		return this.state == State.WAITING;
	}

	/** Whether its process has not decided yet whether it gets the lock. */
	boolean queued() {
		return this.node.waits(this.request.caller());
	}

	/** Whether its time is over, or it went away, and it will hear so soon. */
	boolean overdue() {
		return this.cancelled || this.world.schedule().now() - this.since >= this.waitMillis * 999_000;
	}

	boolean resting() {
		return this.state == State.THINKING;
	}

	private Chance chance() {
		return this.world.chance();
	}

	private void think() {
		this.state = State.THINKING;
		long pause = chance().of(0.9) ? chance().millis(0, 60) : chance().millis(60, 1500);
		this.node.in(pause, this::acquire);
	}

	private void acquire() {
		if (!this.world.acquiring()) {
			return;
		}
		String key = this.world.key();
		this.place = this.node.nextArrival();
		this.state = State.WAITING;
		this.since = this.world.schedule().now();
		this.cancelled = false;
		this.waitMillis = waitMillis();
		LockRequest request = LockRequest.of(key)
			.waitAtMost(Duration.ofMillis(this.waitMillis))
			.calledFrom("caller " + this.place);
		if (chance().of(0.1)) {
			request = request.leaseFor(Duration.ofMillis(1000 + chance().below(2000)));
		}
		this.request = this.world.use().wish(request, this.world.permits(), chance());
		this.world.trace().add(this.node.name(), "wants", key + kind(), "waits", this.waitMillis);
		CompletableFuture<LockHandle> future = this.node.acquire(this.request).toCompletableFuture();
		future.whenComplete(this::answered);
		if (chance().of(0.03)) {
			this.node.in(chance().millis(0, 800), () -> {
				this.cancelled = true;
				future.cancel(true);
			});
		}
	}

	private String kind() {
		return sharing() instanceof Sharing.Exclusive ? ""
				: sharing() instanceof Sharing.Shared ? " shared" : " permit";
	}

	private long waitMillis() {
		double dice = chance().fraction();
		if (dice < (this.world.scenario().hasty() ? 0.8 : 0.15)) {
			return 0;
		}
		return (dice < 0.5) ? 1 + chance().below(800) : PATIENT_MILLIS;
	}

	private void answered(LockHandle handle, Throwable failure) {
		if (handle != null) {
			begin(new Held(this.node, this.request, handle, this.world.schedule().now()));
			return;
		}
		this.world.trace().add(this.node.name(), "gets no", key(), failure.getClass().getSimpleName());
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		if (cause instanceof LockBusyException) {
			this.world.figures().refused++;
		}
		else if (!(cause instanceof CancellationException)) {
			this.world.figures().failed++;
			this.world.rules()
				.require(
						this.world.scenario() != Scenario.CLEAN
								&& (cause instanceof LockStoreException || cause instanceof LockLostException),
						"I8 who gets no lock is told why", cause);
		}
		think();
	}

	private void begin(Held held) {
		this.state = State.HOLDING;
		this.world.trace().add(this.node.name(), "begins with", held);
		this.world.rules().begun(held, this);
		use(held);
		this.node.in(bodyNanos(), () -> end(held));
	}

	private long bodyNanos() {
		double dice = chance().fraction();
		if (dice < 0.8) {
			return chance().millis(0, 10);
		}
		if (dice < 0.95) {
			return chance().millis(10, 60);
		}
		return (dice < (sharing() instanceof Sharing.Shared ? 0.98 : 0.99)) ? chance().millis(60, 600)
				: chance().millis(2000, 6000);
	}

	/** The check says that it holds; what it sends then may arrive at any time. */
	private void use(Held held) {
		if (held.handle().isHeld()) {
			boolean late = chance().of(0.02);
			this.world.schedule().in(chance().millis(0, late ? 6000 : 2), () -> reach(held));
		}
	}

	/** Tokens of permits are for no resource. */
	private void reach(Held held) {
		if (held.sharing() instanceof Sharing.Exclusive) {
			this.world.resource().write(held.key(), held.token());
		}
		else if (held.sharing() instanceof Sharing.Shared) {
			this.world.resource().read(held.key(), held.token());
		}
	}

	private void end(Held held) {
		use(held);
		boolean believed = held.handle().isHeld();
		this.state = State.RELEASING;
		this.world.trace().add(this.node.name(), "ends with", held, believed ? "held" : "lost");
		this.world.rules().ended(held, believed);
		held.handle().closeAsync().whenComplete((nothing, failure) -> released(held, believed, failure));
	}

	private void released(Held held, boolean believed, Throwable failure) {
		if (failure != null) {
			this.world.figures().losses++;
			this.world.rules().require(failure instanceof LockLostException, "I8 a loss is told as such", failure);
		}
		this.world.rules().require(believed || failure != null, "I8 a loss is told", held);
		if (this.world.scenario().prompt() && held.request().leaseTime().isEmpty()) {
			this.world.rules().require(believed, "I8 nothing is lost without a fault", held);
		}
		if (this.world.scenario().steady()) {
			this.world.rules()
				.require(!believed || failure == null || forced(held, failure), "I7 a release in time finds its hold",
						held);
		}
		think();
	}

	/** Released by force, and told so. */
	private boolean forced(Held held, Throwable failure) {
		return this.world.rules().isForced(held) && failure instanceof LockLostException loss
				&& loss.reason() == LossReason.FORCED;
	}

	/** What it is at. */
	private enum State {

		THINKING, WAITING, HOLDING, RELEASING

	}

}
