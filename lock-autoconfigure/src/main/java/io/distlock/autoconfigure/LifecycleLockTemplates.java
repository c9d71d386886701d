package io.distlock.autoconfigure;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Supplier;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.operations.LockOperations;
import io.distlock.stores.LockTemplates;
import io.distlock.support.ForeignText;

/**
 * Provides a template for each store. The templates stay valid over a stop and start of
 * the context.
 */
final class LifecycleLockTemplates implements LockTemplates {

	private final Map<String, LockTemplate> known = new ConcurrentHashMap<>();

	private final Supplier<LockTemplate> template;

	private final Supplier<String> place;

	/**
	 * Creates the templates.
	 * @param template the current template, with one store or several
	 * @param place describes the default store, if there is no other store
	 */
	LifecycleLockTemplates(Supplier<LockTemplate> template, Supplier<String> place) {
		this.template = template;
		this.place = place;
	}

	@Override
	public LockTemplate of(String id) {
		LockTemplate now = current(id);
		return this.known.computeIfAbsent(id,
				(each) -> (now instanceof LockOperations.Provider) ? new OfOneStore(() -> current(each)) : now);
	}

	private LockTemplate current(String id) {
		if (this.template.get() instanceof LockTemplates several) {
			return several.of(id);
		}
		if (!id.equals(DEFAULT)) {
			throw new IllegalArgumentException("There is no lock store '" + ForeignText.of(id) + "'. Known are: "
					+ DEFAULT + ". Configure it with distributed-lock.stores." + ForeignText.of(id) + ".type");
		}
		return this.template.get();
	}

	@Override
	public Map<String, String> places() {
		return (this.template.get() instanceof LockTemplates several) ? several.places()
				: Map.of(DEFAULT, this.place.get());
	}

	/**
	 * The template of one store, made by the auto-configuration. That of a test, which
	 * may have no operations, needs no such template: no stop and start replaces it.
	 *
	 * @param current returns the template of the running context, with operations
	 */
	private record OfOneStore(Supplier<LockTemplate> current) implements LockTemplate, LockOperations.Provider {

		@Override
		public LockHandle acquire(LockRequest request) {
			return this.current.get().acquire(request);
		}

		@Override
		public Optional<LockHandle> tryAcquire(LockRequest request) {
			return this.current.get().tryAcquire(request);
		}

		@Override
		public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
			return this.current.get().acquireAsync(request);
		}

		@Override
		public boolean isLocked(String key) {
			return this.current.get().isLocked(key);
		}

		@Override
		public int holdCount(String key) {
			return this.current.get().holdCount(key);
		}

		@Override
		public Lock getLock(String key) {
			return new LifecycleLock(() -> this.current.get().getLock(key));
		}

		@Override
		public ReadWriteLock getReadWriteLock(String key) {
			return LifecycleLockTemplate.readWriteLock(this.current, key);
		}

		@Override
		public LockOperations operations() {
			return ((LockOperations.Provider) this.current.get()).operations();
		}

	}

}
