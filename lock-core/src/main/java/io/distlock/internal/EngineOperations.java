package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Owner;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.key.Semaphore;
import io.distlock.internal.request.OperatorCommands;
import io.distlock.internal.waiting.Waiter;
import io.distlock.operations.ForcedRelease;
import io.distlock.operations.HeldLock;
import io.distlock.operations.LockKind;
import io.distlock.operations.LockOperations;
import io.distlock.operations.WaitingCaller;
import io.distlock.spi.Capability;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;
import io.distlock.support.KeyText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the questions of operators from the table of an engine and from its store. */
final class EngineOperations implements LockOperations {

	private static final Logger logger = LoggerFactory.getLogger(EngineOperations.class);

	private final LockTable table;

	private final EngineContext engine;

	private final OperatorCommands commands;

	EngineOperations(LockTable table, EngineContext engine) {
		this.table = table;
		this.engine = engine;
		this.commands = new OperatorCommands(engine);
	}

	@Override
	public LockSnapshot find(String key) {
		return this.commands.inspect(LockRequest.of(key).key());
	}

	@Override
	public void probe(String key) {
		this.commands.probe(LockRequest.of(key).key());
	}

	@Override
	public List<HeldLock> heldHere() {
		List<HeldLock> held = new ArrayList<>();
		for (LockEntry entry : this.table.all()) {
			entry.visit((hold) -> held.add(describe(hold)), (waiter) -> {
			});
		}
		held.sort(Comparator.comparing(HeldLock::age).reversed());
		return List.copyOf(held);
	}

	private HeldLock describe(Hold hold) {
		Owner owner = hold.owner();
		return new HeldLock(hold.key(), LockKind.of(hold.sharing()), hold.fencingToken(), owner.name(), owner.caller(),
				hold.acquiredAt(), Duration.ofNanos(this.engine.now() - hold.acquiredNanos()),
				Duration.ofNanos(Math.max(0, hold.remaining())));
	}

	@Override
	public List<WaitingCaller> waitingHere() {
		List<WaitingCaller> waiting = new ArrayList<>();
		for (LockEntry entry : this.table.all()) {
			entry.visit((hold) -> {
			}, (waiter) -> waiting.add(describe(entry.key(), waiter)));
		}
		for (Semaphore semaphore : this.table.semaphores()) {
			semaphore.visit((waiter) -> waiting.add(describe(semaphore.key(), waiter)));
		}
		waiting.sort(Comparator.comparing(WaitingCaller::waited).reversed());
		return List.copyOf(waiting);
	}

	private WaitingCaller describe(String key, Waiter waiter) {
		long now = this.engine.now();
		return new WaitingCaller(key, LockKind.of(waiter.sharing()), waiter.owner().name(), waiter.owner().caller(),
				Duration.ofNanos(Math.max(0, waiter.waited(now))),
				Duration.ofNanos(Math.max(0, waiter.remaining(now))));
	}

	@Override
	public LockPage list(String prefix, int limit, String cursor) {
		require(Capability.LISTING);
		ListCommand first = new ListCommand(prefix, cursor, limit);
		long half = this.engine.now() + this.engine.timeoutNanos() / 2;
		List<LockSnapshot> found = new ArrayList<>();
		String next = cursor;
		do {
			LockPage page = this.commands.list(first.from(next, limit - found.size()));
			found.addAll(page.locks());
			next = page.next();
		}
		while (!next.isEmpty() && found.size() < limit && this.engine.now() - half < 0);
		return new LockPage(found, next);
	}

	@Override
	public ForcedRelease forceRelease(String key, String reason) {
		LockSettings settings = this.engine.settings();
		return forceRelease(key, reason, settings.application() + "@" + settings.host());
	}

	@Override
	public ForcedRelease forceRelease(String key, String reason, String by) {
		String name = LockRequest.of(key).key();
		if (reason.isBlank()) {
			throw new IllegalArgumentException("Lock '" + KeyText.of(name)
					+ "' is not released by force without a reason: pass one, it is logged");
		}
		require(Capability.FORCE_RELEASE);
		LockSnapshot seen = this.commands.inspect(name);
		Set<RequestId> holds = seen.holds()
			.stream()
			.map(LockSnapshot.Hold::request)
			.limit(ForceReleaseCommand.MOST)
			.collect(Collectors.toSet());
		Set<RequestId> released = holds.isEmpty() ? Set.of()
				: this.commands.forceRelease(new ForceReleaseCommand(name, holds));
		ForcedRelease report = new ForcedRelease(name, by, reason, this.engine.clock().instant(), seen.holds().size(),
				seen.holds().stream().filter((hold) -> released.contains(hold.request())).toList(),
				seen.waiters().size());
		logger.warn("{}", report.describe());
		return report;
	}

	@Override
	public void checkForceRelease(String key) {
		require(Capability.FORCE_RELEASE);
	}

	private void require(Capability capability) {
		if (this.engine.store().unsupported().contains(capability)) {
			throw new UnsupportedOperationException(capability.lackedBy(this.engine.store()));
		}
	}

}
