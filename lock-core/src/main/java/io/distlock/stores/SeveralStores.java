package io.distlock.stores;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.operations.LockOperations;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * The lock template of an application that keeps its locks in several stores. The key of
 * a lock decides in which store it is. All callers of one lock therefore use the same
 * store, with or without an annotation. All locks of one request must be in the same
 * store.
 * <p>
 * A lock may have two stores while it moves from the first store to the second. See
 * {@link MovingLockTemplate}.
 */
public final class SeveralStores implements CloseableLockTemplate, LockTemplates, LockOperations.Provider {

	private final Map<String, CloseableLockTemplate> templates;

	private final LockRoutes<Place> routes;

	private final Map<String, String> places;

	/**
	 * Creates a template of several templates. They belong to it from now on.
	 * @param templates the template of each store by its id, among them
	 * {@link LockTemplates#DEFAULT}
	 * @param routes ids of stores by name of lock: one id, or two ids while the lock
	 * moves from the first store to the second; all other locks are in the default store
	 * @param places where the stores are, for people, by id
	 * @param waitTime how long to wait for a lock that moves, if the request sets no wait
	 * time
	 * @throws IllegalArgumentException if there is no default store, or if a route has an
	 * unknown store, the same store twice, no store, or more than two stores
	 */
	public SeveralStores(Map<String, CloseableLockTemplate> templates, Map<String, List<String>> routes,
			Map<String, String> places, Duration waitTime) {
		this.templates = Collections.unmodifiableMap(new LinkedHashMap<>(templates));
		this.places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
		Map<String, Place> byName = new HashMap<>();
		routes.forEach((name, ids) -> byName.put(name, place(name, ids, waitTime)));
		this.routes = new LockRoutes<>(byName, new Place(List.of(DEFAULT), of(DEFAULT)));
	}

	private Place place(String name, List<String> ids, Duration waitTime) {
		if (ids.size() == 1) {
			return new Place(List.copyOf(ids), of(ids.get(0)));
		}
		if (ids.size() != 2 || ids.get(0).equals(ids.get(1))) {
			throw new IllegalArgumentException("Lock '" + ForeignText.of(name)
					+ "' must be in one store, or in two different ones while it moves, was " + ids);
		}
		return new Place(List.copyOf(ids), new MovingLockTemplate(of(ids.get(0)), of(ids.get(1)), waitTime));
	}

	@Override
	public LockTemplate of(String id) {
		return template(id);
	}

	private CloseableLockTemplate template(String id) {
		CloseableLockTemplate template = this.templates.get(id);
		if (template == null) {
			throw new IllegalArgumentException("There is no lock store '" + ForeignText.of(id) + "'. Known are: "
					+ String.join(", ", new TreeSet<>(this.templates.keySet())));
		}
		return template;
	}

	@Override
	public Map<String, String> places() {
		return this.places;
	}

	/**
	 * Returns the operations of all stores. A lock is found and released in the stores
	 * that keep it.
	 */
	@Override
	public LockOperations operations() {
		return new OperationsInStores(this.templates.values().stream().map(LockOperations::of).toList(),
				(key) -> at(key).ids().stream().map((id) -> LockOperations.of(template(id))).toList());
	}

	/** Returns where a lock is. Refuses a key that no lock can have. */
	private Place at(String key) {
		return this.routes.of(LockRequest.of(key).key());
	}

	private LockTemplate at(LockRequest request) {
		String first = request.keys().get(0);
		Place place = this.routes.of(first);
		for (String other : request.keys()) {
			Place another = this.routes.of(other);
			if (!another.ids().equals(place.ids())) {
				throw new IllegalArgumentException("Lock '" + KeyText.of(first) + "' is in store "
						+ String.join(", ", place.ids()) + " and lock '" + KeyText.of(other) + "' in "
						+ String.join(", ", another.ids()) + ", but all locks of one request must be in the same "
						+ "store. Keep them in one, or acquire one after the other");
			}
		}
		return place.template();
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		return at(request).acquire(request);
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return at(request).tryAcquire(request);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		return at(request).acquireAsync(request);
	}

	@Override
	public boolean isLocked(String key) {
		return at(key).template().isLocked(key);
	}

	@Override
	public int holdCount(String key) {
		return at(key).template().holdCount(key);
	}

	@Override
	public Lock getLock(String key) {
		return at(key).template().getLock(key);
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		return at(key).template().getReadWriteLock(key);
	}

	/** Returns the id of the default store's template. */
	@Override
	public String instance() {
		return template(DEFAULT).instance();
	}

	@Override
	public Duration renewalLag() {
		return longest(CloseableLockTemplate::renewalLag);
	}

	@Override
	public Duration housekeepingOverdue() {
		return longest(CloseableLockTemplate::housekeepingOverdue);
	}

	private Duration longest(Function<CloseableLockTemplate, Duration> measurement) {
		return this.templates.values().stream().map(measurement).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	@Override
	public boolean isIdle() {
		return this.templates.values().stream().allMatch(CloseableLockTemplate::isIdle);
	}

	/** Shuts down all templates at the same time. */
	@Override
	public boolean shutdown(Duration grace) {
		List<CompletableFuture<Boolean>> ends = new ArrayList<>();
		this.templates.forEach((id, template) -> {
			CompletableFuture<Boolean> end = new CompletableFuture<>();
			ends.add(end);
			Thread thread = new Thread(() -> complete(end, () -> template.shutdown(grace)),
					"distributed-lock-shutdown-" + id);
			thread.setDaemon(true);
			thread.start();
		});
		return ends.stream().map(CompletableFuture::join).reduce(true, Boolean::logicalAnd);
	}

	private static void complete(CompletableFuture<Boolean> end, Supplier<Boolean> shutdown) {
		try {
			end.complete(shutdown.get());
		}
		catch (RuntimeException | Error ex) {
			end.completeExceptionally(ex);
		}
	}

	/**
	 * The place of a lock.
	 *
	 * @param ids the ids of its stores, in the order of acquisition
	 * @param template the template that acquires the lock there
	 */
	private record Place(List<String> ids, LockTemplate template) {
	}

}
