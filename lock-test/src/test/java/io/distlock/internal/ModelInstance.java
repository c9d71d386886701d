package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.monitor.Monitor;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.Grant;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import io.distlock.stores.LockTemplates;

/**
 * One process: the real engine, less its threads, connected to the store by queues. What
 * is taken out of them next, and what is lost or doubled, is up to the schedule.
 */
final class ModelInstance implements LockStore {

	static final Duration LEASE = Duration.ofSeconds(3);

	static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final LockSettings SETTINGS = LockSettings.builder()
		.leaseTime(LEASE)
		.commandTimeout(TIMEOUT)
		.build();

	private final String name;

	private final InMemoryLockStore store;

	private final EngineContext engine;

	private final LockTable table;

	/** In the order in which they were sent; one connection keeps it. */
	private final Deque<Command<?>> commands = new ArrayDeque<>();

	private final Deque<Answer<?>> answers = new ArrayDeque<>();

	private final Deque<Message> messages = new ArrayDeque<>();

	/** Commands, answers and messages that may arrive at any time, or never. */
	private final List<Command<?>> lateCommands = new ArrayList<>();

	private final List<Answer<?>> lateAnswers = new ArrayList<>();

	private final List<Message> lateMessages = new ArrayList<>();

	/** What the caller that acts now is to execute itself. */
	private ModelDirect direct;

	private boolean callerActs;

	/** By the instance that is named to the store: permits have several. */
	private final Map<String, ModelRequests> requests = new TreeMap<>();

	private final int tokens;

	private int places;

	/** The entry that was there last; a caller may have looked it up before it went. */
	private LockEntry latest;

	ModelInstance(String name, InMemoryLockServer server, LockClock clock, int tokens) {
		this.name = name;
		this.tokens = tokens;
		this.store = new InMemoryLockStore(server);
		this.engine = new EngineContext(this, SETTINGS, clock, name, LockTemplates.DEFAULT, LockObserver.NONE);
		this.table = new LockTable(this.engine);
		this.store.start(name, new Listener());
	}

	/**
	 * Lets a caller act, which may execute a command itself.
	 * @param action what it does
	 * @return what it is to execute when it has done that, or {@code null}
	 */
	ModelDirect direct(Runnable action) {
		this.callerActs = true;
		this.direct = null;
		try {
			action.run();
			return this.direct;
		}
		finally {
			this.callerActs = false;
			this.direct = null;
		}
	}

	/** The command may be executed at any time, or never. */
	void late(Command<?> command) {
		this.lateCommands.add(command);
	}

	int nextPlace() {
		return ++this.places;
	}

	/** An entry that was dropped, or {@code null}. */
	LockEntry dropped() {
		LockEntry current = this.table.find(ModelCaller.KEY);
		return (this.latest != current) ? this.latest : null;
	}

	void found(LockEntry entry) {
		this.latest = entry;
	}

	LockTable table() {
		return this.table;
	}

	EngineContext engine() {
		return this.engine;
	}

	String name() {
		return this.name;
	}

	ModelRequests requests() {
		return requestsOf(this.name);
	}

	/** Those for what a request is made for. */
	ModelRequests requests(RequestId request) {
		return requestsOf(request.instance());
	}

	private ModelRequests requestsOf(String instance) {
		return this.requests.computeIfAbsent(instance, (absent) -> new ModelRequests());
	}

	/** All of them, of the lock or of each permit. */
	Map<String, ModelRequests> allRequests() {
		return this.requests;
	}

	/** What the next steps depend on, besides the engine. */
	List<Object> queues() {
		return List.of(this.commands, this.answers, this.messages, this.lateCommands, this.lateAnswers,
				this.lateMessages, this.requests);
	}

	void steps(List<ModelStep> steps, boolean faults) {
		commandSteps(steps, faults);
		answerSteps(steps, faults);
		messageSteps(steps, faults);
		if (tickDue()) {
			normal(steps, "ticks", "", this::tick);
		}
		for (int i = 0; i < this.lateCommands.size(); i++) {
			int index = i;
			optional(steps, "executes late", this.lateCommands.get(i),
					() -> this.lateCommands.remove(index).execution().get());
		}
		for (int i = 0; i < this.lateAnswers.size(); i++) {
			int index = i;
			optional(steps, "gets late", this.lateAnswers.get(i), () -> this.lateAnswers.remove(index).deliver());
		}
		for (int i = 0; i < this.lateMessages.size(); i++) {
			int index = i;
			optional(steps, "gets late", this.lateMessages.get(i),
					() -> this.lateMessages.remove(index).delivery().accept(this.table));
		}
	}

	private void commandSteps(List<ModelStep> steps, boolean faults) {
		Command<?> command = this.commands.peek();
		if (command == null) {
			return;
		}
		normal(steps, "executes", command, () -> this.answers.add(this.commands.remove().execute()));
		if (!faults) {
			return;
		}
		fault(steps, "loses", command, this.commands::remove);
		fault(steps, "executes twice", command, () -> {
			this.lateCommands.add(command);
			this.answers.add(this.commands.remove().execute());
		});
		fault(steps, "delays", command, () -> this.lateCommands.add(this.commands.remove()));
		fault(steps, "breaks before", command,
				() -> this.commands.remove().fail(new TransientStoreException("", "connection broken", null)));
		fault(steps, "refuses", command,
				() -> this.commands.remove().fail(new LockStoreException("", "no permission", null)));
	}

	private void answerSteps(List<ModelStep> steps, boolean faults) {
		Answer<?> answer = this.answers.peek();
		if (answer == null) {
			return;
		}
		normal(steps, "gets", answer, () -> this.answers.remove().deliver());
		if (!faults) {
			return;
		}
		fault(steps, "loses", answer, this.answers::remove);
		fault(steps, "delays", answer, () -> this.lateAnswers.add(this.answers.remove()));
		fault(steps, "breaks after", answer,
				() -> this.answers.remove().command().fail(new TransientStoreException("", "connection broken", null)));
	}

	private void messageSteps(List<ModelStep> steps, boolean faults) {
		Message message = this.messages.peek();
		if (message == null) {
			return;
		}
		normal(steps, "gets", message, () -> this.messages.remove().delivery().accept(this.table));
		if (!faults) {
			return;
		}
		fault(steps, "loses", message, this.messages::remove);
		fault(steps, "gets twice", message, () -> {
			this.lateMessages.add(message);
			this.messages.remove().delivery().accept(this.table);
		});
		fault(steps, "delays", message, () -> this.lateMessages.add(this.messages.remove()));
		if (message.request() != null) {
			fault(steps, "gets before, forged,", message, () -> getForged(message));
		}
	}

	/**
	 * What was released by force, and is believed in or kept, is asked for at once, even
	 * if its grant arrives after the message that reports the release.
	 */
	void checkAsks() {
		if (this.requests.values().stream().noneMatch(ModelRequests::hasHeard)) {
			return;
		}
		for (LockEntry entry : this.table.all()) {
			entry.visit((hold) -> {
				boolean unaware = requests(hold.request()).isHeard(hold.request()) && hold.remaining() > 0;
				ModelFailures.unless(!unaware || tickDue(), "Who hears of a release by force asks the store", hold);
			}, (waiter) -> {
			});
		}
	}

	private void hear() {
		this.requests.values().forEach(ModelRequests::hear);
	}

	/** Somebody says that a lock was released by force. */
	void revoked() {
		hear();
		this.table.revoked(ModelCaller.KEY);
		this.table.revoked("unused");
		ModelFailures.unless(this.table.find("unused") == null, "A message of another lock changes nothing", this);
	}

	/** Like the message, for requests that were not given out or are over. */
	private void getForged(Message message) {
		RequestId genuine = message.request();
		int before = this.commands.size();
		for (long number : new long[] { genuine.number() - 1, genuine.number() + 1, Long.MAX_VALUE }) {
			this.table.granted(ModelCaller.KEY, new RequestId(genuine.engine(), genuine.slot(), number),
					message.grant());
			this.table.granted("unused", genuine, message.grant());
		}
		ModelFailures.unless(this.commands.size() == before && this.table.find("unused") == null,
				"A message of another request changes nothing", message);
	}

	private void normal(List<ModelStep> steps, String what, Object object, Runnable action) {
		steps.add(new ModelStep(this.name, what, object, ModelStep.Kind.NORMAL, action));
	}

	private void fault(List<ModelStep> steps, String what, Object object, Runnable action) {
		steps.add(new ModelStep(this.name, what, object, ModelStep.Kind.FAULT, action));
	}

	private void optional(List<ModelStep> steps, String what, Object object, Runnable action) {
		steps.add(new ModelStep(this.name, what, object, ModelStep.Kind.OPTIONAL, action));
	}

	/** Whether the housekeeper has something to do. */
	boolean tickDue() {
		long now = this.engine.now();
		for (Monitor tended : tended()) {
			if (tended.due() - now <= 0) {
				return true;
			}
		}
		return false;
	}

	/** One round of the housekeeper. */
	private void tick() {
		long now = this.engine.now();
		tended().forEach((tended) -> {
			if (tended.due() - now <= 0) {
				tended.tick();
			}
		});
	}

	private List<Monitor> tended() {
		List<Monitor> tended = new ArrayList<>(this.table.all());
		tended.addAll(this.table.semaphores());
		return tended;
	}

	/** Tells all moments at which the housekeeper has something to do. */
	void moments(LongConsumer moments) {
		tended().forEach((tended) -> moments.accept(tended.due()));
	}

	@Override
	public void start(String instance, StoreListener listener) {
		throw new IllegalStateException("Started already");
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return acquire(command, CallingThread.NONE);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return finish(key, request, keepFor, CallingThread.NONE);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		requests(command.request()).acquiring(command.request());
		return send("ACQUIRE", command.request(), () -> this.store.acquire(limited(command)), caller);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		requests(request).finishing(request);
		return send("FINISH", request, () -> this.store.finish(key, request, keepFor), caller);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		requests(command.request()).asking(command.request());
		return send("RENEW", command.request(), () -> this.store.renew(limited(command)), CallingThread.NONE);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return this.store.inspect(key);
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		throw new IllegalStateException("An operator is no process");
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		throw new IllegalStateException("Never asked");
	}

	@Override
	public void stop() {
		throw new IllegalStateException("Never stopped");
	}

	private AcquireCommand limited(AcquireCommand wish) {
		return new AcquireCommand(wish.key(), wish.request(), wish.lease(), wish.sharing(), wish.queue(),
				Math.min(wish.tokens(), this.tokens), wish.timeout(), wish.holder());
	}

	private RenewCommand limited(RenewCommand wish) {
		return new RenewCommand(wish.key(), wish.request(), wish.lease(), Math.min(wish.tokens(), this.tokens));
	}

	private <T> CompletionStage<T> send(String verb, RequestId request, Supplier<CompletionStage<T>> execution,
			CallingThread caller) {
		Command<T> command = new Command<>(verb, request, this.engine.now(), execution, new CompletableFuture<>(),
				requests(request));
		ModelDirect own = new ModelDirect(this, command);
		if (this.callerActs && caller.offer(own)) {
			this.direct = own;
		}
		else {
			this.commands.add(command);
		}
		return command.future();
	}

	/** A command under way. */
	record Command<T>(String verb, RequestId request, long sentAt, Supplier<CompletionStage<T>> execution,
			CompletableFuture<T> future, ModelRequests requests) {

		Answer<T> execute() {
			return new Answer<>(this, this.execution.get().toCompletableFuture().join());
		}

		void fail(LockStoreException failure) {
			this.requests.answered(this.verb, this.request, null);
			this.future.completeExceptionally(failure);
		}

		@Override
		public String toString() {
			return this.verb + " " + this.request.number();
		}

	}

	/** An answer under way. */
	record Answer<T>(Command<T> command, T result) {

		void deliver() {
			this.command.requests().answered(this.command.verb(), this.command.request(), this.result);
			this.command.future().complete(this.result);
		}

		@Override
		public String toString() {
			return ((this.result instanceof Enum<?>) ? this.result : this.result.getClass().getSimpleName()) + " of "
					+ this.command;
		}

	}

	/**
	 * A message under way: a grant, or that somebody waits.
	 */
	record Message(String text, RequestId request, Grant grant, Consumer<StoreListener> delivery) {

		@Override
		public String toString() {
			return "message " + this.text;
		}

	}

	/** What the store tells goes into the queue. */
	private final class Listener implements StoreListener {

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			ModelInstance.this.messages.add(new Message("GRANTED " + request.number(), request, grant,
					(events) -> events.granted(key, request, grant)));
		}

		@Override
		public void contended(String key) {
			ModelInstance.this.messages.add(new Message("CONTENDED", null, null, (events) -> events.contended(key)));
		}

		@Override
		public void revoked(String key) {
			ModelInstance.this.messages.add(new Message("REVOKED", null, null, (events) -> {
				hear();
				events.revoked(key);
			}));
		}

		@Override
		public void reconnected() {
			throw new IllegalStateException("Never said by this store");
		}

	}

}
