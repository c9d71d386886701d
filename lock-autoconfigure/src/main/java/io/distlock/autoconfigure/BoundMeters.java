package io.distlock.autoconfigure;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockSkipped;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.TransientStoreException;

/**
 * The meters of healthy locks in one registry. There are meters for each name of locks,
 * up to a limit, and none for keys.
 */
final class BoundMeters implements LockObserver {

	/** The most meters that an application gets that uses keys as names. */
	static final int MOST_NAMES = 200;

	static final String OTHER_NAMES = "other";

	static final String NO_NAME = "unnamed";

	private final Map<String, NamedMeters> names = new ConcurrentHashMap<>();

	private final Map<StoreCommand, Map<Answer, Timer>> commands = new EnumMap<>(StoreCommand.class);

	private final MeterRegistry registry;

	BoundMeters(MeterRegistry registry) {
		this.registry = registry;
		for (StoreCommand command : StoreCommand.values()) {
			Map<Answer, Timer> timers = new EnumMap<>(Answer.class);
			for (Answer answer : Answer.values()) {
				timers.put(answer,
						Timer.builder("distributed.lock.store.commands")
							.description("Commands to the store, until their answer or failure")
							.tag("command", LockMeters.text(command))
							.tag("outcome", LockMeters.text(answer))
							.register(registry));
			}
			this.commands.put(command, timers);
		}
	}

	@Override
	public AcquisitionObserver acquiring(LockRequest request) {
		NamedMeters meters = named(request.name());
		meters.begin();
		return meters;
	}

	@Override
	public void skipped(LockSkipped skipped) {
		named(skipped.name()).skipped();
	}

	private NamedMeters named(String given) {
		String name = given.isEmpty() ? NO_NAME : given;
		NamedMeters known = this.names.get(name);
		return (known != null) ? known : create(name);
	}

	private NamedMeters create(String name) {
		String bounded = (this.names.size() < MOST_NAMES) ? name : OTHER_NAMES;
		return this.names.computeIfAbsent(bounded, (tag) -> new NamedMeters(this.registry, tag));
	}

	@Override
	public boolean observesCommands() {
		return true;
	}

	@Override
	public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
		Answer answer = (failure == null) ? Answer.ANSWERED
				: (failure instanceof TransientStoreException) ? Answer.NO_ANSWER : Answer.ERROR;
		Map<Answer, Timer> timers = Objects.requireNonNull(this.commands.get(command));
		Objects.requireNonNull(timers.get(answer)).record(nanos, TimeUnit.NANOSECONDS);
	}

	/** How a command ended. */
	private enum Answer {

		ANSWERED, NO_ANSWER, ERROR

	}

}
