package io.distlock.spring.local;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockTemplate;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;

/**
 * Acquires locks for one method that is to exclude at least callers of this process. The
 * store is asked first; with its grant and without its answer the caller passes through
 * the gate of the key. A refusal reaches the caller: the store has answered, and the body
 * does not run.
 *
 * @param template acquires the locks
 * @param gates those of all methods
 * @param runs logs calls without an answer of the store
 */
record LocalOnlyTemplate(LockTemplate template, LocalGates gates, LocalRuns runs) implements LockTemplate {

	private static final Logger logger = LoggerFactory.getLogger(LocalOnlyTemplate.class);

	@Override
	public LockHandle acquire(LockRequest request) {
		long start = System.nanoTime();
		// The store may answer again and grant the lock to another thread, which would
		// then wait for this one.
		if (this.gates.areLocalHere(request.keys())) {
			return local(this.gates.enter(request, start, true));
		}
		LockHandle granted;
		try {
			granted = this.template.acquire(request);
		}
		catch (TransientRefusalException ex) {
			throw ex;
		}
		catch (TransientStoreException ex) {
			return withoutAnswer(request, start, ex);
		}
		return withGrant(request, start, granted);
	}

	private LockHandle withoutAnswer(LockRequest request, long start, TransientStoreException failure) {
		List<LocalPass> passes = this.gates.enter(request, start, true);
		this.gates.countRun();
		long count = this.runs.next();
		if (count > 0) {
			logger.warn(
					"{}: the store does not answer, so the lock excludes callers of THIS process only, {} time(s) since "
							+ "the last warning (onStoreFailure is LOCAL_ONLY): {}",
					this.runs.title(), count, failure.getMessage());
		}
		return local(passes);
	}

	private static LockHandle local(List<LocalPass> passes) {
		return LockScopes.together(passes.stream().map(LocalHandle::new).toList());
	}

	/** The lock may be lost while the caller waits for a body without a grant. */
	private LockHandle withGrant(LockRequest request, long start, LockHandle granted) {
		try {
			List<LocalPass> passes = this.gates.enter(request, start, false);
			GatedHandle handle = new GatedHandle(granted, passes);
			try {
				granted.ensureHeld();
			}
			catch (RuntimeException ex) {
				passes.forEach(LocalPass::leave);
				throw ex;
			}
			return handle;
		}
		catch (RuntimeException | Error ex) {
			if (granted instanceof EngineHandle handle) {
				handle.markUnused();
			}
			granted.closeAsync();
			throw ex;
		}
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return this.template.tryAcquire(request);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		return this.template.acquireAsync(request);
	}

	@Override
	public Lock getLock(String key) {
		return this.template.getLock(key);
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		return this.template.getReadWriteLock(key);
	}

}
