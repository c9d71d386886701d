package io.distlock.test;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.distlock.LockStoreException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/** A store with faults on demand, and a count of its commands. */
public final class FaultyLockStore extends DelegatingLockStore {

	private final Map<Verb, Fault> faults = new ConcurrentHashMap<>();

	private final Map<Verb, Runnable> beforeAnswer = new ConcurrentHashMap<>();

	private final Map<Verb, AtomicInteger> counts = new ConcurrentHashMap<>();

	private final Queue<Runnable> lateCopies = new ConcurrentLinkedQueue<>();

	private final AtomicInteger revocations = new AtomicInteger();

	private volatile boolean losingMessages;

	private volatile @Nullable StoreListener listener;

	/**
	 * Wraps a store.
	 * @param delegate the store that works
	 */
	public FaultyLockStore(LockStore delegate) {
		super(delegate);
	}

	/**
	 * Makes all commands of a kind fail from now on.
	 * @param verb the kind
	 * @param fault how the commands fail
	 */
	public void inject(Verb verb, Fault fault) {
		this.faults.put(verb, fault);
	}

	/**
	 * Makes all commands fail from now on.
	 * @param fault how the commands fail
	 */
	public void injectAll(Fault fault) {
		for (Verb verb : Verb.values()) {
			inject(verb, fault);
		}
	}

	/**
	 * Runs an action each time a command of a kind has been executed, before the engine
	 * sees its answer. Use it for events that happen while the answer is under way.
	 * @param verb the kind
	 * @param action what happens
	 */
	public void beforeAnswer(Verb verb, Runnable action) {
		this.beforeAnswer.put(verb, action);
	}

	/** Ends all faults. */
	public void heal() {
		this.faults.clear();
		this.beforeAnswer.clear();
		this.losingMessages = false;
	}

	/** Loses all messages from the store from now on. */
	public void loseMessages() {
		this.losingMessages = true;
	}

	/**
	 * Reports that another server replaces the present one.
	 * @throws IllegalStateException if the store was not started
	 */
	public void failOver() {
		StoreListener events = this.listener;
		if (events == null) {
			throw new IllegalStateException("The store was not started");
		}
		events.failedOver();
	}

	/**
	 * Now executes a second copy of each command sent under {@link Fault#COPY_LATER}, and
	 * answers those sent under {@link Fault#ANSWER_LATER}.
	 */
	public void executeLateCopies() {
		for (Runnable copy = this.lateCopies.poll(); copy != null; copy = this.lateCopies.poll()) {
			copy.run();
		}
	}

	/**
	 * Returns how many commands of a kind were sent.
	 * @param verb the kind
	 * @return their number, whatever became of them
	 */
	public int count(Verb verb) {
		return counter(verb).get();
	}

	/**
	 * Returns how many commands were sent.
	 * @return their number, whatever became of them
	 */
	public int count() {
		return this.counts.values().stream().mapToInt(AtomicInteger::get).sum();
	}

	/**
	 * Returns how many messages about releases by force reached the listener.
	 * @return their number
	 */
	public int revocations() {
		return this.revocations.get();
	}

	private AtomicInteger counter(Verb verb) {
		return this.counts.computeIfAbsent(verb, (absent) -> new AtomicInteger());
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.listener = listener;
		super.start(instance, new LosingListener(listener));
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		return send(Verb.ACQUIRE, () -> super.acquire(command, caller));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		return send(Verb.FINISH, () -> super.finish(key, request, keepFor, caller));
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return send(Verb.RENEW, () -> super.renew(command));
	}

	private <T> CompletionStage<T> send(Verb verb, Supplier<CompletionStage<T>> command) {
		counter(verb).incrementAndGet();
		Fault fault = this.faults.get(verb);
		if (fault == null) {
			CompletionStage<T> answer = command.get();
			this.beforeAnswer.getOrDefault(verb, () -> {
			}).run();
			return answer;
		}
		return switch (fault) {
			case LOSE_COMMAND -> new CompletableFuture<>();
			case LOSE_ANSWER -> {
				command.get();
				yield new CompletableFuture<>();
			}
			case BREAK_BEFORE ->
				CompletableFuture.failedFuture(new TransientStoreException("", "connection broken", null));
			case BREAK_AFTER -> {
				command.get();
				yield CompletableFuture.failedFuture(new TransientStoreException("", "connection broken", null));
			}
			case REFUSE -> CompletableFuture.failedFuture(new LockStoreException("", "no permission", null));
			case REFUSE_FOR_NOW ->
				CompletableFuture.failedFuture(new TransientRefusalException("", "upstream failure", null));
			case THROW -> throw new NoClassDefFoundError("a class that is missing");
			case ANSWER_NOTHING -> nothing();
			case EXECUTE_LATER -> {
				this.lateCopies.add(command::get);
				yield new CompletableFuture<>();
			}
			case COPY_LATER -> {
				this.lateCopies.add(command::get);
				yield command.get();
			}
			case ANSWER_LATER -> {
				CompletionStage<T> answer = command.get();
				CompletableFuture<T> late = new CompletableFuture<>();
				this.lateCopies.add(() -> answer.thenAccept(late::complete));
				yield late;
			}
		};
	}

	@SuppressWarnings({ "NullAway", "DataFlowIssue" }) // breaks the contract
	private static <T> CompletionStage<T> nothing() {
		return null;
	}

	/** The kinds of command. */
	public enum Verb {

		/** {@link LockStore#acquire}. */
		ACQUIRE,

		/** {@link LockStore#finish}. */
		FINISH,

		/** {@link LockStore#renew}. */
		RENEW

	}

	/** The ways in which a command may fail. */
	public enum Fault {

		/** The command is neither executed nor answered, as by a hung server. */
		LOSE_COMMAND,

		/** The command is executed but never answered. */
		LOSE_ANSWER,

		/** The command is not executed. The client reports a broken connection. */
		BREAK_BEFORE,

		/** The command is executed. The client reports a broken connection. */
		BREAK_AFTER,

		/** The server refuses the command for good. */
		REFUSE,

		/** The server refuses the command for a reason that may pass. */
		REFUSE_FOR_NOW,

		/** The store throws, against its contract. */
		THROW,

		/** The store returns {@code null}, against its contract. */
		ANSWER_NOTHING,

		/** The command hangs on the way and is executed later. Its answer is lost. */
		EXECUTE_LATER,

		/** The command is executed and answered. A copy of it arrives later. */
		COPY_LATER,

		/** The command is executed now and answered later. */
		ANSWER_LATER

	}

	private final class LosingListener implements StoreListener {

		private final StoreListener listener;

		private LosingListener(StoreListener listener) {
			this.listener = listener;
		}

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			if (!FaultyLockStore.this.losingMessages) {
				this.listener.granted(key, request, grant);
			}
		}

		@Override
		public void contended(String key) {
			if (!FaultyLockStore.this.losingMessages) {
				this.listener.contended(key);
			}
		}

		@Override
		public void revoked(String key) {
			if (!FaultyLockStore.this.losingMessages) {
				this.listener.revoked(key);
				FaultyLockStore.this.revocations.incrementAndGet();
			}
		}

		@Override
		public void reconnected() {
			this.listener.reconnected();
		}

		@Override
		public void failedOver() {
			this.listener.failedOver();
		}

	}

}
