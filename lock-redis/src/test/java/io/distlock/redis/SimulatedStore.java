package io.distlock.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.distlock.redis.client.RedisClient;
import io.distlock.redis.protocol.LockRecord;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.redis.protocol.StateViews;
import io.distlock.spi.CallingThread;
import io.distlock.spi.LockStore;
import io.distlock.spi.Sharing;

/**
 * The real store, with a network that somebody else makes up, and the real scripts, moved
 * to a virtual clock.
 */
public final class SimulatedStore {

	/** What the keys of all locks begin with. */
	public static final String PREFIX = RedisLockStoreSettings.DEFAULTS.keyPrefix();

	/** Where a master notes that it is one. */
	public static final String MASTER = PREFIX + "%master";

	/**
	 * The last two arguments are the time. The answer has the messages and the new state
	 * too. Keys that the clock has collected are deleted when a script looks.
	 */
	private static final String BEFORE = """
			local seconds, micros_of_second, arguments = ARGV[#ARGV - 1], ARGV[#ARGV], {}
			for i = 1, #ARGV - 2 do
			  arguments[i] = ARGV[i]
			end
			local virtual_now, published = seconds * 1000 + math.floor(micros_of_second / 1000), {}
			local due = redis.call('HGET', 'due', KEYS[1])
			local collected = due and tonumber(due) <= virtual_now
			if collected then
			  redis.call('DEL', KEYS[1])
			  redis.call('HDEL', 'due', KEYS[1])
			end
			local function virtual_time()
			  return {seconds, micros_of_second}
			end
			local function virtual_pexpire(key, ms)
			  if redis.call('EXISTS', key) == 1 then
			    redis.call('HSET', 'due', key, string.format('%.0f', virtual_now + tonumber(ms)))
			  end
			end
			local function virtual_publish(channel, message)
			  published[#published + 1] = channel
			  published[#published + 1] = message
			end
			local function verb(ARGV)
			""";

	private static final String AFTER = """

			end
			local reply = verb(arguments)
			return {reply, published, redis.call('HGETALL', KEYS[1]), collected and 1 or 0}
			""";

	private SimulatedStore() {
	}

	/** How commands get to a server, and messages back. */
	public interface Link {

		CompletableFuture<List<Object>> send(String verb, boolean byText, String key, List<String> arguments);

		/**
		 * Whether callers send the first command of a request, or its end, themselves.
		 */
		boolean direct();

		/** Takes what a caller does once it has left the monitor, unless it refuses. */
		boolean offer(Runnable task);

		CompletableFuture<List<Object>> sendFromCaller(String verb, boolean byText, String key, List<String> arguments);

		void listen(String channel, Consumer<String> messages, Runnable subscribed);

	}

	public static LockStore create(Link link, DoubleSupplier random, LongSupplier nanoTime, Duration failoverDelay) {
		RedisLockStoreSettings settings = RedisLockStoreSettings.builder().failoverDelay(failoverDelay).build();
		LockStore store = new RedisLockStore(() -> "simulated server", (channel, messages) -> {
			link.listen(channel, messages::receive, messages::subscribed);
			return new SimulatedClient(new Commands(link));
		}, settings, () -> "secret", random, nanoTime, () -> {
		});
		return link.direct() ? byCallers(store, link) : store;
	}

	/**
	 * Requests have no threads here, so the engine passes none on. Each gets one that
	 * takes tasks.
	 */
	private static LockStore byCallers(LockStore store, Link link) {
		CallingThread caller = (task) -> link.offer(task);
		return (LockStore) Proxy.newProxyInstance(LockStore.class.getClassLoader(), new Class<?>[] { LockStore.class },
				(proxy, method, arguments) -> {
					Object[] passed = (arguments != null) ? arguments.clone() : new Object[0];
					if (passed.length > 0 && passed[passed.length - 1] == CallingThread.NONE) {
						passed[passed.length - 1] = caller;
					}
					try {
						return method.invoke(store, passed);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	/** The scripts by the names of their verbs. */
	public static Map<String, String> scripts() {
		Map<String, String> texts = new LinkedHashMap<>();
		for (LockScript script : LockScript.values()) {
			texts.put(script.name(),
					BEFORE + script.text()
						.replace("redis.call('TIME')", "virtual_time()")
						.replace("redis.call('PEXPIRE', ", "virtual_pexpire(")
						.replace("redis.pcall('PUBLISH', ", "virtual_publish(") + AFTER);
		}
		return texts;
	}

	/** The arguments with which an operator ends holds. */
	public static List<String> forceRelease(List<StoredLock.Hold> holds) {
		List<String> arguments = new ArrayList<>(
				List.of(String.valueOf(RedisLockStoreSettings.DEFAULTS.keep().toMillis()), PREFIX + "ch:", ""));
		holds.forEach((hold) -> {
			arguments.add(hold.instance());
			arguments.add(String.valueOf(hold.request()));
		});
		return arguments;
	}

	/** Takes a hash apart. */
	public static StoredLock read(List<Object> hash) {
		Map<String, String> fields = new LinkedHashMap<>();
		for (int i = 0; i + 1 < hash.size(); i += 2) {
			fields.put((String) hash.get(i), (String) hash.get(i + 1));
		}
		if (fields.isEmpty()) {
			return StoredLock.NONE;
		}
		LockRecord record = LockRecord.parse(fields.get("o"));
		List<StoredLock.Waiter> queue = new ArrayList<>();
		for (String instance : LockRecord.waiters(fields)) {
			queue.add(waiter(instance, fields.get("q:" + fields.get("w:" + instance))));
		}
		boolean whole = StateViews.misfit(fields) == null;
		return new StoredLock(kind(record), holds(record, fields), record.highestToken(), queue, whole);
	}

	private static StoredLock.Waiter waiter(String instance, String text) {
		String[] parts = ((text != null) ? text : instance + ";0;0;0;0;;").split(";", 7);
		String wanted = parts[6].startsWith("\\") ? parts[6].substring(1, parts[6].indexOf(';')) : "";
		return new StoredLock.Waiter(instance, Long.parseLong(parts[1]), Long.parseLong(parts[2]),
				StoredLock.sharing(wanted));
	}

	private static Class<? extends Sharing> kind(LockRecord record) {
		return switch (record.state()) {
			case "S" -> Sharing.Shared.class;
			case "P" -> Sharing.Permit.class;
			default -> Sharing.Exclusive.class;
		};
	}

	private static List<StoredLock.Hold> holds(LockRecord record, Map<String, String> fields) {
		if (!record.allowsSeveralHolds()) {
			return !record.held() ? List.of() : List.of(new StoredLock.Hold(record.instance(), record.request(),
					record.expiry(), record.token(), record.highestToken()));
		}
		return fields.entrySet()
			.stream()
			.filter((field) -> field.getKey().startsWith("h:"))
			.map((field) -> hold(field.getKey().substring(2), field.getValue().split(";")))
			.sorted(Comparator.comparingLong(StoredLock.Hold::token))
			.toList();
	}

	private static StoredLock.Hold hold(String instance, String[] parts) {
		long token = Long.parseLong(parts[2]);
		return new StoredLock.Hold(instance, Long.parseLong(parts[0]), Long.parseLong(parts[1]), token,
				token + Long.parseLong(parts[3]) - 1);
	}

	private record SimulatedClient(RedisCommands commands) implements RedisClient {

		@Override
		public void ensureSubscribed() {
			// It always is.
		}

		@Override
		public void close() {
			// There is nothing to close.
		}

	}

	/** Leaves it to the link. */
	private record Commands(Link link) implements RedisCommands {

		@Override
		public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
			this.link.send(script.name(), false, arguments.key(), arguments.texts()).whenComplete(answer::ended);
		}

		@Override
		public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
			this.link.send(script.name(), true, arguments.key(), arguments.texts()).whenComplete(answer::ended);
		}

		@Override
		public RedisCommands by(CallingThread caller) {
			return (caller == CallingThread.NONE) ? this : new OfCaller(this, caller);
		}

		@Override
		public String server() {
			return "simulated server";
		}

		@Override
		public void close() {
		}

	}

	/** As the commands of a client that blocks. */
	private record OfCaller(Commands others, CallingThread caller) implements RedisCommands {

		@Override
		public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
			if (!this.caller.offer(() -> send(script, false, arguments, answer))) {
				this.others.evalSha(script, arguments, answer);
			}
		}

		@Override
		public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
			if (!this.caller.offer(() -> send(script, true, arguments, answer))) {
				this.others.eval(script, arguments, answer);
			}
		}

		private void send(LockScript script, boolean byText, ScriptArguments arguments, Answer answer) {
			this.others.link()
				.sendFromCaller(script.name(), byText, arguments.key(), arguments.texts())
				.whenComplete(answer::ended);
		}

		@Override
		public String server() {
			return this.others.server();
		}

		@Override
		public void close() {
		}

	}

}
