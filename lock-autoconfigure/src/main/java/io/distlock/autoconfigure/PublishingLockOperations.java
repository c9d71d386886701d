package io.distlock.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import org.springframework.context.ApplicationEventPublisher;

import io.distlock.operations.ForcedRelease;
import io.distlock.operations.HeldLock;
import io.distlock.operations.LockOperations;
import io.distlock.operations.WaitingCaller;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spring.event.LockForceReleasedEvent;

/**
 * Delegates to the operations of the present template, and publishes an event for each
 * release by force.
 */
final class PublishingLockOperations implements LockOperations {

	private final Supplier<LockOperations> current;

	private final ApplicationEventPublisher publisher;

	PublishingLockOperations(Supplier<LockOperations> current, ApplicationEventPublisher publisher) {
		this.current = current;
		this.publisher = publisher;
	}

	@Override
	public LockSnapshot find(String key) {
		return this.current.get().find(key);
	}

	@Override
	public void probe(String key) {
		this.current.get().probe(key);
	}

	@Override
	public List<HeldLock> heldHere() {
		return this.current.get().heldHere();
	}

	@Override
	public List<WaitingCaller> waitingHere() {
		return this.current.get().waitingHere();
	}

	@Override
	public LockPage list(String prefix, int limit, String cursor) {
		return this.current.get().list(prefix, limit, cursor);
	}

	@Override
	public ForcedRelease forceRelease(String key, String reason) {
		return published(this.current.get().forceRelease(key, reason));
	}

	@Override
	public ForcedRelease forceRelease(String key, String reason, String by) {
		return published(this.current.get().forceRelease(key, reason, by));
	}

	@Override
	public void checkForceRelease(String key) {
		this.current.get().checkForceRelease(key);
	}

	private ForcedRelease published(ForcedRelease release) {
		this.publisher.publishEvent(new LockForceReleasedEvent(release));
		return release;
	}

}
