package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.distlock.Holder;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.Grant;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** One instance that uses one lock, with short forms of the commands of a contract. */
final class ContractClient implements StoreListener {

	private static final Duration TIMEOUT = TestThreads.LIMIT;

	/** How long to wait for the first connection of a cold JVM. */
	private static final Duration CONNECTING = Duration.ofMinutes(1);

	private final LockStore store;

	private final String instance;

	private final String key;

	private final Sharing sharing;

	private final ConcurrentLinkedQueue<RequestId> grants;

	private final ConcurrentLinkedQueue<String> contentions;

	private final ConcurrentLinkedQueue<String> revocations;

	ContractClient(LockStore store, String instance, String key) {
		this(store, instance, key, Sharing.EXCLUSIVE, new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>(),
				new ConcurrentLinkedQueue<>());
	}

	private ContractClient(LockStore store, String instance, String key, Sharing sharing,
			ConcurrentLinkedQueue<RequestId> grants, ConcurrentLinkedQueue<String> contentions,
			ConcurrentLinkedQueue<String> revocations) {
		this.store = store;
		this.instance = instance;
		this.key = key;
		this.sharing = sharing;
		this.grants = grants;
		this.contentions = contentions;
		this.revocations = revocations;
	}

	/** Returns the same instance for another lock. */
	ContractClient keyed(String suffix) {
		return new ContractClient(this.store, this.instance, this.key + suffix, this.sharing, this.grants,
				this.contentions, this.revocations);
	}

	/** Returns the same instance, which asks for holds of another kind. */
	ContractClient sharing(Sharing other) {
		return new ContractClient(this.store, this.instance, this.key, other, this.grants, this.contentions,
				this.revocations);
	}

	/** Returns a client for a further hold of the same engine. */
	ContractClient further(int number) {
		return new ContractClient(this.store, this.instance + "." + number, this.key, this.sharing, this.grants,
				this.contentions, this.revocations);
	}

	/**
	 * Returns a writer of the same engine, which waits behind the engine's shared hold.
	 */
	ContractClient writer() {
		String writing = new RequestId(this.instance, RequestId.WRITER, 1).instance();
		return new ContractClient(this.store, writing, this.key, Sharing.EXCLUSIVE, this.grants, this.contentions,
				this.revocations);
	}

	/**
	 * Starts the store. In a cold JVM on a busy machine the first connection may take too
	 * long.
	 */
	void start() {
		this.store.start(this.instance, this);
		long begun = System.nanoTime();
		while (true) {
			try {
				this.store.inspect("first").toCompletableFuture().get(CONNECTING.toSeconds(), TimeUnit.SECONDS);
				return;
			}
			catch (Exception ex) {
				if (!(ex.getCause() instanceof TransientStoreException)
						|| System.nanoTime() - begun > CONNECTING.toNanos()) {
					throw new AssertionError("The store did not connect", ex);
				}
			}
		}
	}

	String instance() {
		return this.instance;
	}

	RequestId request(long number) {
		return RequestId.parse(this.instance, number);
	}

	/** Returns the grants of which the engine was notified. */
	Collection<RequestId> grants() {
		return this.grants;
	}

	/** Gives a message time to arrive, because a store may check it first. */
	void awaitGrant() {
		for (int i = 0; i < 20 && this.grants.isEmpty(); i++) {
			// No event shows that no message will come.
			Pause.of(Duration.ofMillis(2));
		}
	}

	/** Returns the locks that the engine may have lost according to its notifications. */
	Collection<String> revocations() {
		return this.revocations;
	}

	String key() {
		return this.key;
	}

	/** Returns the locks for which the engine was notified of new waiters. */
	Collection<String> contentions() {
		return this.contentions;
	}

	AcquireResult acquire(long number, Duration lease, boolean queue, int tokens) {
		return get(this.store.acquire(command(number, lease, queue, tokens)));
	}

	AcquireCommand command(long number, Duration lease, boolean queue, int tokens) {
		String name = this.instance.substring(0, this.instance.indexOf('-'));
		Holder holder = new Holder("contract; app", "host", this.instance, "thread of " + name,
				"Some.method(ü, \"%;\")", Instant.EPOCH);
		return new AcquireCommand(this.key, request(number), lease, this.sharing, queue, tokens, TIMEOUT, holder);
	}

	LockStore store() {
		return this.store;
	}

	/**
	 * Acquires the lock. Repeats the command as the engine does if its result is unknown:
	 * a short lease may end before all of a quorum have answered.
	 */
	Grant acquired(long number, Duration lease) {
		long end = System.nanoTime() + TIMEOUT.toNanos();
		while (true) {
			try {
				return grant(acquire(number, lease, true, 1));
			}
			catch (AssertionError ex) {
				boolean unknown = ex.getCause() instanceof ExecutionException failed
						&& failed.getCause() instanceof TransientStoreException;
				if (!unknown || System.nanoTime() - end > 0) {
					throw ex;
				}
			}
		}
	}

	FinishResult finish(long number) {
		return finish(number, Duration.ZERO);
	}

	/** Ends a request. The store keeps its hold for some time. */
	FinishResult finish(long number, Duration keepFor) {
		return get(this.store.finish(this.key, request(number), keepFor));
	}

	RenewResult renew(long number, Duration lease) {
		return renew(number, lease, 0);
	}

	RenewResult renew(long number, Duration lease, int tokens) {
		return get(this.store.renew(new RenewCommand(this.key, request(number), lease, tokens)));
	}

	/** Ends holds by force, and returns the requests whose holds were ended. */
	Set<RequestId> forceRelease(RequestId... holds) {
		return get(this.store.forceRelease(new ForceReleaseCommand(this.key, Set.of(holds))));
	}

	LockPage list(ListCommand command) {
		return get(this.store.list(command));
	}

	LockSnapshot inspect() {
		return get(this.store.inspect(this.key));
	}

	/** Returns the request that holds the lock alone. */
	@Nullable RequestId holder() {
		return inspect().owner();
	}

	static Grant grant(AcquireResult result) {
		assertThat(result).isInstanceOf(AcquireResult.Granted.class);
		return ((AcquireResult.Granted) result).grant();
	}

	private static <T> T get(CompletionStage<T> stage) {
		try {
			return stage.toCompletableFuture().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError("The store did not answer as it should", ex);
		}
	}

	@Override
	public void granted(String granted, RequestId request, Grant grant) {
		this.grants.add(request);
	}

	@Override
	public void contended(String contended) {
		this.contentions.add(contended);
	}

	@Override
	public void revoked(String revoked) {
		this.revocations.add(revoked);
	}

	@Override
	public void reconnected() {
		// Nothing to do, because these clients poll when the test says so.
	}

}
