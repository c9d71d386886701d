package io.distlock.autoconfigure;

import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.distlock.observe.LockNotTaken;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.TransientStoreException;

/**
 * Holds the meters of one store in one registry, for commands and for calls without a
 * lock.
 */
final class BoundMeters {

	private static final Answer[] ANSWERS = Answer.values();

	private final Timer[] commands = new Timer[StoreCommand.values().length * ANSWERS.length];

	private final MeterRegistry registry;

	private final String store;

	/**
	 * Registers the meters of commands.
	 * @param registry gets the meters
	 * @param store the id of the store
	 */
	BoundMeters(MeterRegistry registry, String store) {
		this.registry = registry;
		this.store = store;
		for (StoreCommand command : StoreCommand.values()) {
			for (Answer answer : ANSWERS) {
				this.commands[place(command, answer)] = Timer.builder("lock.store.commands")
					.description("Commands to the store, until their answer or failure")
					.tag(LockMeters.STORE, store)
					.tag("lock.command", LockMeters.text(command))
					.tag("lock.outcome", LockMeters.text(answer))
					.register(registry);
			}
		}
	}

	private static int place(StoreCommand command, Answer answer) {
		return command.ordinal() * ANSWERS.length + answer.ordinal();
	}

	/**
	 * Counts a call that has no lock and does not fail.
	 * @param name the name of the locks
	 * @param reason the reason
	 */
	void notTaken(String name, LockNotTaken.Reason reason) {
		Counter.builder("lock.not.taken")
			.description("Calls of methods that had no lock and did not fail")
			.tag(LockMeters.STORE, this.store)
			.tag("lock.name", name)
			.tag(LockMeters.REASON, LockMeters.text(reason))
			.register(this.registry)
			.increment();
	}

	void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
		Answer answer = (failure == null) ? Answer.ANSWERED
				: (failure instanceof TransientStoreException) ? Answer.NO_ANSWER : Answer.ERROR;
		this.commands[place(command, answer)].record(nanos, TimeUnit.NANOSECONDS);
	}

	/** The result of a command. */
	private enum Answer {

		ANSWERED, NO_ANSWER, ERROR

	}

}
