package io.distlock.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A store that passes everything on to another store. It is the base of stores that
 * change something about another store. Commands of a calling thread stay commands of
 * that thread.
 */
public abstract class DelegatingLockStore implements LockStore {

	private final LockStore delegate;

	/**
	 * Creates a store.
	 * @param delegate the store that does the work
	 */
	protected DelegatingLockStore(LockStore delegate) {
		this.delegate = delegate;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.delegate.start(instance, listener);
	}

	/**
	 * Calls {@link #acquire(AcquireCommand, CallingThread)}. Subclasses override that
	 * method.
	 * @param command what to acquire
	 * @return the answer
	 */
	@Override
	public final CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return acquire(command, CallingThread.NONE);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		return this.delegate.acquire(command, caller);
	}

	/**
	 * Calls {@link #finish(String, RequestId, Duration, CallingThread)}. Subclasses
	 * override that method.
	 * @param key the key of the lock
	 * @param request the request to end
	 * @param keepFor how long the store keeps a valid hold
	 * @return the answer
	 */
	@Override
	public final CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return finish(key, request, keepFor, CallingThread.NONE);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		return this.delegate.finish(key, request, keepFor, caller);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return this.delegate.renew(command);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return this.delegate.inspect(key);
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return this.delegate.forceRelease(command);
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return this.delegate.list(command);
	}

	@Override
	public Set<Capability> unsupported() {
		return this.delegate.unsupported();
	}

	@Override
	public Duration connecting() {
		return this.delegate.connecting();
	}

	@Override
	public Duration waiterLifetime() {
		return this.delegate.waiterLifetime();
	}

	@Override
	public String describe() {
		return this.delegate.describe();
	}

	@Override
	public List<String> lostNodes() {
		return this.delegate.lostNodes();
	}

	@Override
	public void stop() {
		this.delegate.stop();
	}

}
