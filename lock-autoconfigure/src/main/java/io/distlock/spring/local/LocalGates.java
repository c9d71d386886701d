package io.distlock.spring.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.distlock.LockBusyException;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * The gates of all keys whose bodies may run without a grant of the store: those that run
 * with one pass through the same gate, so two bodies of a key never overlap in this
 * process. A key that nobody runs under has no gate.
 */
public final class LocalGates {

	private final ConcurrentMap<String, Counted> gates = new ConcurrentHashMap<>();

	private final LongAdder runs = new LongAdder();

	private final Supplier<LockSettings> settings;

	/**
	 * Creates the register.
	 * @param settings has the wait time and the maximum of waiters of requests without
	 * one
	 */
	public LocalGates(Supplier<LockSettings> settings) {
		this.settings = settings;
	}

	/**
	 * Returns a template for the calls of one method.
	 * @param template acquires the locks
	 * @param runs logs when there is no answer
	 * @return the template, for blocking calls
	 */
	public LockTemplate over(LockTemplate template, LocalRuns runs) {
		return new LocalOnlyTemplate(template, this, runs);
	}

	/**
	 * Returns how often methods excluded only callers of this process.
	 * @return the number of calls
	 */
	public long runs() {
		return this.runs.sum();
	}

	void countRun() {
		this.runs.increment();
	}

	/** How many keys have a gate now. */
	int size() {
		return this.gates.size();
	}

	/** How many threads wait to run under a key. */
	int waiting(String key) {
		Counted counted = this.gates.get(key);
		return (counted != null) ? counted.gate().waiting() : 0;
	}

	/** Whether the calling thread runs under all of these keys without a grant. */
	boolean areLocalHere(List<String> keys) {
		return keys.stream().allMatch((key) -> {
			Counted counted = this.gates.get(key);
			return counted != null && counted.gate.isLocalHere();
		});
	}

	/** How long a call waits altogether. */
	long waitNanos(LockRequest request) {
		Duration wait = request.waitTime().orElseGet(() -> this.settings.get().waitTime());
		Duration limit = request.waitLimit().map(LockRequest.WaitLimit::time).orElse(wait);
		// Centuries do not fit into nanoseconds, and count as the most that does.
		return TimeUnit.NANOSECONDS.convert((limit.compareTo(wait) < 0) ? limit : wait);
	}

	/**
	 * Enters the gates of all keys of a request, in the same order in all threads.
	 * @param request what is wanted
	 * @param start when the call began
	 * @param withoutGrant whether the store did not answer
	 * @return what leaves them again, key by key
	 * @throws LockBusyException if another thread runs under one of them for too long, or
	 * too many threads without a grant wait for it already
	 */
	List<LocalPass> enter(LockRequest request, long start, boolean withoutGrant) {
		long wait = waitNanos(request);
		int maxWaiters = request.maxWaiters().orElseGet(() -> this.settings.get().maxWaiters());
		List<LocalPass> passes = new ArrayList<>();
		try {
			for (String key : request.keys().stream().sorted().toList()) {
				passes.add(enter(key, wait, wait - (System.nanoTime() - start), withoutGrant, maxWaiters));
			}
		}
		catch (RuntimeException ex) {
			passes.forEach(LocalPass::leave);
			throw ex;
		}
		return passes;
	}

	private LocalPass enter(String key, long wait, long left, boolean withoutGrant, int maxWaiters) {
		LocalGate gate = use(key);
		boolean entered = false;
		try {
			LocalGate.Entry entry = gate.enter(left, withoutGrant, maxWaiters);
			entered = entry == LocalGate.Entry.IN;
			if (entered) {
				return new LocalPass(key, () -> {
					gate.leave();
					unuse(key);
				});
			}
			throw (entry == LocalGate.Entry.TOO_MANY_WAITERS) ? tooManyWaiters(key, maxWaiters, gate.owner())
					: busy(key, wait, gate.owner());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(key, ex);
		}
		finally {
			if (!entered) {
				unuse(key);
			}
		}
	}

	private static LockBusyException busy(String key, long wait, @Nullable Thread owner) {
		Duration waited = Duration.ofNanos(wait);
		return new LockBusyException(key,
				"Lock '" + KeyText.of(key) + "' is busy after " + DurationText.of(waited) + ": " + runs(owner), waited,
				null);
	}

	private static LockBusyException tooManyWaiters(String key, int maxWaiters, @Nullable Thread owner) {
		String waiters = (maxWaiters == 1) ? "1 caller waits" : maxWaiters + " callers wait";
		return new LockBusyException(key, "Lock '" + KeyText.of(key) + "' is busy: not waited for, as " + waiters
				+ " in this process already (max waiters); " + runs(owner), Duration.ZERO, null, true);
	}

	private static String runs(@Nullable Thread owner) {
		return ((owner != null) ? "thread '" + ForeignText.nameOf(owner) + "' of" : "another thread of")
				+ " this process runs under it, with or without the store (onStoreFailure is LOCAL_ONLY)";
	}

	private LocalGate use(String key) {
		return this.gates.merge(key, new Counted(new LocalGate(), 1), (known, first) -> known.with(1)).gate();
	}

	private void unuse(String key) {
		this.gates.computeIfPresent(key, (same, counted) -> (counted.users() > 1) ? counted.with(-1) : null);
	}

	/**
	 * A gate that is in use.
	 *
	 * @param gate the gate
	 * @param users how many threads are in it or wait for it
	 */
	private record Counted(LocalGate gate, int users) {

		private Counted with(int more) {
			return new Counted(this.gate, this.users + more);
		}

	}

}
