package io.distlock.redis.simulation;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.redis.SimulatedStore;

/**
 * The connections of one process to the server: one for commands, one for messages. Each
 * keeps its order, unless a fault says otherwise.
 */
public final class Link implements SimulatedStore.Link {

	/** Where an answer says how many wait. */
	private static final int WAITERS = 5;

	/** Half of the command timeout: the other half is for a connection. */
	private static final long CLIENT_GIVES_UP = TimeUnit.MILLISECONDS.toNanos(500);

	private final World world;

	private final Node node;

	private long lastArrival;

	private long lastAnswer;

	private long lastMessage;

	private String channel;

	private Consumer<String> messages;

	private Runnable subscribed;

	private boolean deaf;

	Link(World world, Node node) {
		this.world = world;
		this.node = node;
	}

	@Override
	public void listen(String channel, Consumer<String> messages, Runnable subscribed) {
		this.channel = channel;
		this.messages = messages;
		this.subscribed = subscribed;
	}

	@Override
	public boolean direct() {
		return this.world.scenario().direct();
	}

	/**
	 * A thread that has left the monitor may stop before it sends, while others go on.
	 * One that is interrupted sends nothing itself.
	 */
	@Override
	public boolean offer(Runnable task) {
		if (this.world.chance().of(0.1)) {
			return false;
		}
		this.node.in(this.world.chance().millis(0, this.world.chance().of(0.1) ? 300 : 0.5), task);
		return true;
	}

	/** Each has a connection of its own, from a pool. */
	@Override
	public CompletableFuture<List<Object>> sendFromCaller(String verb, boolean byText, String key,
			List<String> arguments) {
		Command command = new Command(verb, byText, key, arguments);
		this.world.trace().add(this.node.name(), "sends itself", command);
		CompletableFuture<List<Object>> future = new CompletableFuture<>();
		if (!occurs(Fault.LOST, command)) {
			arrive(arrival(0, command), command, future);
		}
		if (occurs(Fault.DOUBLED, command)) {
			arrive(this.world.schedule().now() + this.world.chance().millis(0.2, 300), command, future);
		}
		this.node.in(CLIENT_GIVES_UP, () -> future.completeExceptionally(new IOException("Read timed out")));
		return future;
	}

	@Override
	public CompletableFuture<List<Object>> send(String verb, boolean byText, String key, List<String> arguments) {
		Command plain = new Command(verb, byText, key, arguments);
		Command command = (this.world.scenario() == Scenario.NONOTAFTER) ? plain.withoutNotAfter() : plain;
		this.world.trace().add(this.node.name(), "sends", command);
		CompletableFuture<List<Object>> future = new CompletableFuture<>();
		if (!occurs(Fault.LOST, command)) {
			long arrival = arrival(this.lastArrival, command);
			this.lastArrival = Math.max(this.lastArrival, arrival);
			arrive(arrival, command, future);
		}
		if (occurs(Fault.DOUBLED, command)) {
			arrive(this.world.schedule().now() + this.world.chance().millis(0.2, 300), command, future);
		}
		if (occurs(Fault.DOUBLED_LATE, command)) {
			arrive(this.world.schedule().now() + this.world.chance().millis(300, 6000), command, future);
		}
		if (occurs(Fault.BROKEN, command)) {
			this.node.in(this.world.chance().millis(0.1, 20),
					() -> future.completeExceptionally(new IOException("Connection reset")));
		}
		return future;
	}

	private void arrive(long moment, Command command, CompletableFuture<List<Object>> future) {
		this.world.schedule()
			.at(moment, () -> this.world.server().receive(command, (answer) -> answer(command, answer, future)));
	}

	private void answer(Command command, Object answer, CompletableFuture<List<Object>> future) {
		if (!occurs(Fault.LOST, "answer to", command)) {
			this.lastAnswer = arrival(this.lastAnswer, "answer");
			this.node.at(this.lastAnswer, () -> {
				this.world.trace().add(this.node.name(), "gets", answer, "for", command);
				if (command.is("RENEW") && answer instanceof List<?> parts && parts.size() > WAITERS
						&& !parts.get(WAITERS).equals(0L)) {
					this.node.toldOfOthers();
				}
				complete(answer, future);
			});
		}
	}

	@SuppressWarnings("unchecked")
	private static void complete(Object answer, CompletableFuture<List<Object>> future) {
		if (answer instanceof RedisWire.Failure failure) {
			future.completeExceptionally(new IllegalStateException(failure.message()));
		}
		else {
			future.complete((List<Object>) answer);
		}
	}

	boolean listensTo(String published) {
		return published.equals(this.channel);
	}

	/** The server published something for this process. */
	void publish(String message) {
		if (occurs(Fault.FORGED, message)) {
			deliver(arrival(this.lastMessage, message), Forgery.unseen(message, this.world.chance()));
		}
		if (this.deaf || occurs(Fault.LOST_MESSAGE, message)) {
			this.world.trace().add(this.node.name(), "misses", message);
			return;
		}
		this.lastMessage = arrival(this.lastMessage, message);
		deliver(this.lastMessage, message);
		if (occurs(Fault.FORGED, message)) {
			deliver(this.lastMessage, Forgery.seen(message, this.world.chance()));
		}
		if (occurs(Fault.DOUBLED, message)) {
			deliver(this.world.schedule().now() + this.world.chance().millis(0.2, 300), message);
		}
		if (occurs(Fault.DOUBLED_LATE, message)) {
			deliver(this.world.schedule().now() + this.world.chance().millis(300, 6000), message);
		}
	}

	private void deliver(long moment, String message) {
		this.node.at(moment, () -> {
			this.world.trace().add(this.node.name(), "hears", message);
			if (message.startsWith("W;")) {
				this.node.toldOfOthers();
			}
			this.messages.accept(message);
		});
	}

	/** Hears nothing for a while. */
	void becomeDeaf(long nanos) {
		if (!this.deaf) {
			this.deaf = true;
			this.node.in(nanos, () -> {
				this.deaf = false;
				this.world.trace().add(this.node.name(), "subscribed again");
				this.subscribed.run();
			});
		}
	}

	private long arrival(long last, Object what) {
		long now = this.world.schedule().now();
		long usual = now + this.world.chance().millis(0.1, 1);
		if (occurs(Fault.SLOW, what)) {
			// Most are late by a moment, and some by more than a lease.
			usual = now + this.world.chance().millis(1, this.world.chance().of(0.05) ? 5000 : 200);
		}
		return occurs(Fault.OVERTAKEN, what) ? usual : Math.max(last, usual);
	}

	private boolean occurs(Fault fault, Object... what) {
		boolean occurs = this.world.faulty() && this.world.chance().of(this.world.scenario().rate(fault));
		if (occurs) {
			this.world.figures().count(fault);
			this.world.trace().add("fault", fault + " " + this.node, what);
		}
		return occurs;
	}

}
