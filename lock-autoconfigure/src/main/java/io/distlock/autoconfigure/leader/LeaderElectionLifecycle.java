package io.distlock.autoconfigure.leader;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

import io.distlock.leader.LeaderElection;
import io.distlock.spring.event.LeaderGrantedEvent;
import io.distlock.spring.event.LeaderRevokedEvent;

/**
 * Starts the elections of an application context in the last phase, when all that a
 * leader may need is running, and stops them in the first phase, long before the lock
 * template and the connections. The context waits until the callbacks have returned and
 * the locks are released, at most for
 * {@code spring.lifecycle.timeout-per-shutdown-phase}.
 */
final class LeaderElectionLifecycle implements SmartLifecycle {

	private final ListableBeanFactory beans;

	private final ApplicationEventPublisher publisher;

	private final List<LeaderElection> elections = new CopyOnWriteArrayList<>();

	private volatile boolean running;

	LeaderElectionLifecycle(ListableBeanFactory beans, ApplicationEventPublisher publisher) {
		this.beans = beans;
		this.publisher = publisher;
	}

	@Override
	public void start() {
		if (this.elections.isEmpty()) {
			// Not those of a parent context, which starts them.
			this.elections.addAll(this.beans.getBeansOfType(LeaderElection.class, false, true).values());
			this.elections.forEach(this::publishEvents);
		}
		this.elections.forEach(LeaderElection::start);
		this.running = true;
	}

	private void publishEvents(LeaderElection election) {
		election.onGranted((token) -> publish(new LeaderGrantedEvent(election.name(), token)))
			.onRevoked((token) -> publish(new LeaderRevokedEvent(election.name(), token)));
	}

	/** A callback may outlive its context, and a closed context accepts no events. */
	private void publish(Object event) {
		if (!(this.publisher instanceof ConfigurableApplicationContext context) || context.isActive()) {
			this.publisher.publishEvent(event);
		}
	}

	@Override
	public void stop(Runnable stopped) {
		this.running = false;
		CompletableFuture
			.allOf(this.elections.stream()
				.map((election) -> election.stop().toCompletableFuture())
				.toArray(CompletableFuture[]::new))
			.thenRun(stopped);
	}

	@Override
	public void stop() {
		stop(() -> {
		});
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
