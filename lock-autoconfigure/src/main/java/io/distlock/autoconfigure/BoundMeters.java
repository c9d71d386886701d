package io.distlock.autoconfigure;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockNotTaken;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.TransientStoreException;

/**
 * The meters of the healthy locks of one store in one registry. There are meters for each
 * name of locks, up to a limit, and none for keys.
 */
final class BoundMeters implements LockObserver {

	/** The most meters that an application gets that uses keys as names. */
	static final int MOST_NAMES = 200;

	static final String OTHER_NAMES = "other";

	static final String NO_NAME = "unnamed";

	private static final Answer[] ANSWERS = Answer.values();

	private final Map<String, NamedMeters> names = new ConcurrentHashMap<>();

	private final Timer[] commands = new Timer[StoreCommand.values().length * ANSWERS.length];

	private final MeterRegistry registry;

	private final String store;

	/**
	 * Registers the meters of commands.
	 * @param registry where
	 * @param store the id of the store
	 */
	BoundMeters(MeterRegistry registry, String store) {
		this.registry = registry;
		this.store = store;
		for (StoreCommand command : StoreCommand.values()) {
			for (Answer answer : ANSWERS) {
				this.commands[place(command, answer)] = Timer.builder("distributed.lock.store.commands")
					.description("Commands to the store, until their answer or failure")
					.tag("store", store)
					.tag("command", LockMeters.text(command))
					.tag("outcome", LockMeters.text(answer))
					.register(registry);
			}
		}
	}

	private static int place(StoreCommand command, Answer answer) {
		return command.ordinal() * ANSWERS.length + answer.ordinal();
	}

	@Override
	public AcquisitionObserver acquiring(String store, LockRequest request) {
		NamedMeters meters = named(request.name());
		meters.begin();
		return meters;
	}

	@Override
	public void notTaken(LockNotTaken lock) {
		named(lock.name()).notTaken(lock.reason());
	}

	private NamedMeters named(String given) {
		String name = given.isEmpty() ? NO_NAME : given;
		NamedMeters known = this.names.get(name);
		return (known != null) ? known : create(name);
	}

	private NamedMeters create(String name) {
		String bounded = (this.names.size() < MOST_NAMES) ? name : OTHER_NAMES;
		return this.names.computeIfAbsent(bounded, (tag) -> new NamedMeters(this.registry, this.store, tag));
	}

	@Override
	public boolean observesCommands() {
		return true;
	}

	@Override
	public void commandEnded(String store, StoreCommand command, long nanos, @Nullable Throwable failure) {
		Answer answer = (failure == null) ? Answer.ANSWERED
				: (failure instanceof TransientStoreException) ? Answer.NO_ANSWER : Answer.ERROR;
		this.commands[place(command, answer)].record(nanos, TimeUnit.NANOSECONDS);
	}

	/** How a command ended. */
	private enum Answer {

		ANSWERED, NO_ANSWER, ERROR

	}

}
