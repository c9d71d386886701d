package io.distlock.stores;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.operations.LockOperations;
import io.distlock.spi.LockClock;
import io.distlock.support.ForeignText;

/**
 * The lock template of an application that keeps its locks in several stores. The key of
 * a lock decides where it is, so all callers of one lock agree, with an annotation and
 * without one.
 * <p>
 * A lock may be in several stores at once: it is acquired in one after the other, in
 * their order, held while it is held in all of them, lost with the first loss, and
 * released in the opposite order. This is how a lock moves from one store to another
 * without a gap:
 * <ol>
 * <li>all processes acquire it in the old store;
 * <li>all acquire it in the old store, then in the new one;
 * <li>all acquire it in the new store.
 * </ol>
 * While processes of two neighbouring steps run at the same time, they still exclude each
 * other, because both acquire the lock in one store. Processes of the first and the third
 * step do not.
 */
public final class SeveralStores implements CloseableLockTemplate, LockTemplates, LockOperations.Provider {

	private final Map<String, CloseableLockTemplate> templates;

	private final LockRoutes routes;

	private final Map<String, String> places;

	private final Duration waitTime;

	private final LockClock clock = LockClock.system();

	/**
	 * Creates a template of templates, which belong to it from now on.
	 * @param templates the template of each store by its id, among them
	 * {@link LockTemplates#DEFAULT}
	 * @param routes ids of stores by name of lock, in the order of their acquisition; all
	 * other locks are in the default store
	 * @param places where the stores are, for people, by id
	 * @param waitTime how long to wait for all locks of a request that does not say so
	 * @throws IllegalArgumentException if there is no default store, or a route has an
	 * unknown store, one twice, or none
	 */
	public SeveralStores(Map<String, CloseableLockTemplate> templates, Map<String, List<String>> routes,
			Map<String, String> places, Duration waitTime) {
		this.templates = Collections.unmodifiableMap(new LinkedHashMap<>(templates));
		this.places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
		this.waitTime = waitTime;
		of(DEFAULT);
		routes.forEach(this::check);
		this.routes = new LockRoutes(routes, DEFAULT);
	}

	private void check(String name, List<String> ids) {
		if (ids.isEmpty() || Set.copyOf(ids).size() < ids.size()) {
			throw new IllegalArgumentException(
					"Lock '" + ForeignText.of(name) + "' must be in at least one store, and in none twice, was " + ids);
		}
		ids.forEach(this::of);
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
				(key) -> this.routes.of(LockRequest.of(key).key())
					.stream()
					.map((id) -> LockOperations.of(template(id)))
					.toList());
	}

	private List<LockTemplate> templates(String key) {
		return this.routes.of(key).stream().map(this::of).toList();
	}

	/** The only store of all keys, empty if there are several. */
	private Optional<LockTemplate> single(LockRequest request) {
		if (request.keys().size() == 1) {
			List<String> ids = this.routes.of(request.key());
			return (ids.size() == 1) ? Optional.of(of(ids.get(0))) : Optional.empty();
		}
		List<List<String>> routes = request.keys().stream().map(this.routes::of).distinct().toList();
		return (routes.size() == 1 && routes.get(0).size() == 1) ? Optional.of(of(routes.get(0).get(0)))
				: Optional.empty();
	}

	private StoreSteps steps(LockRequest request) {
		return new StoreSteps(request, this::templates, this.clock, this.waitTime);
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		Optional<LockTemplate> single = single(request);
		return single.isPresent() ? single.get().acquire(request)
				: takeAll(request, (step, part) -> Optional.of(step.acquire(part))).orElseThrow();
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		Optional<LockTemplate> single = single(request);
		return single.isPresent() ? single.get().tryAcquire(request) : takeAll(request, LockTemplate::tryAcquire);
	}

	private Optional<LockHandle> takeAll(LockRequest request, Attempt attempt) {
		TakenInStores taken = new TakenInStores();
		try {
			StoreSteps steps = steps(request);
			for (StoreSteps.Step step : steps.steps()) {
				Optional<LockHandle> handle = attempt.make(step.template(), steps.request(step));
				handle.ifPresent((acquired) -> taken.add(step.key(), acquired));
				taken.ensureHeld();
				if (handle.isEmpty()) {
					taken.giveBack();
					return Optional.empty();
				}
			}
			return Optional.of(taken.together());
		}
		catch (LockStoreException ex) {
			// The caller has waited for a store already.
			taken.giveBackAsync();
			throw ex;
		}
		catch (LockInterruptedException ex) {
			taken.giveBack();
			taken.replaceInterrupt(ex);
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			taken.giveBack();
			throw ex;
		}
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		Optional<LockTemplate> single = single(request);
		return single.isPresent() ? single.get().acquireAsync(request) : new AsyncStoreSteps(steps(request)).begin();
	}

	@Override
	public boolean isLocked(String key) {
		return templates(key).stream().anyMatch((template) -> template.isLocked(key));
	}

	@Override
	public int holdCount(String key) {
		return templates(key).stream().mapToInt((template) -> template.holdCount(key)).min().orElse(0);
	}

	@Override
	public Lock getLock(String key) {
		return view(key, (template) -> template.getLock(key));
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		Lock read = view(key, (template) -> template.getReadWriteLock(key).readLock());
		Lock write = view(key, (template) -> template.getReadWriteLock(key).writeLock());
		return new ReadWriteLock() {

			@Override
			public Lock readLock() {
				return read;
			}

			@Override
			public Lock writeLock() {
				return write;
			}

		};
	}

	private Lock view(String key, Function<LockTemplate, Lock> view) {
		// Refuses a key that no lock can have, before it is looked at.
		List<LockInStores.InStore> inStores = templates(LockRequest.of(key).key()).stream()
			.map((template) -> new LockInStores.InStore(view.apply(template),
					() -> template.isHeldByCurrentThread(key)))
			.toList();
		return (inStores.size() == 1) ? inStores.get(0).lock() : new LockInStores(key, inStores, this.clock);
	}

	/** The id of the default store's template. */
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

	/** One step of an acquisition. */
	@FunctionalInterface
	private interface Attempt {

		Optional<LockHandle> make(LockTemplate template, LockRequest part);

	}

}
