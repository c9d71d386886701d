package io.distlock.redis.simulation;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.distlock.redis.SimulatedStore;
import io.distlock.redis.StoredLock;

/** The real server, with a clock that is moved for it. */
final class Server {

	private static final long START_MICROS = 1_795_225_522_033_810L;

	private final Map<String, String> digests = new HashMap<>();

	private final Map<String, StoredLock> locks = new HashMap<>();

	/** The locks as a replica knows them. */
	private final Map<String, StoredLock> replicated = new HashMap<>();

	private final Deque<Runnable> stalled = new ArrayDeque<>();

	private final World world;

	private final RedisWire wire;

	private final Map<String, String> scripts;

	/** How much faster than true time its clock is, in parts of a million. */
	private final long drift;

	private long offsetMicros;

	private boolean stalls;

	/** When it became the master, by its clock. */
	private long masterSince = Long.MIN_VALUE / 2;

	Server(World world, RedisWire wire, Map<String, String> scripts) {
		this.world = world;
		this.wire = wire;
		this.scripts = scripts;
		this.drift = world.chance().below(801) - 400;
		ask("FLUSHDB");
		// It has been the master for long.
		ask("SET", SimulatedStore.MASTER, "0;" + replicationId());
		scripts.forEach((verb, text) -> {
			this.digests.put(verb, sha1(text));
			ask("SCRIPT", "LOAD", text);
		});
	}

	long micros() {
		long elapsed = this.world.schedule().now() / 1000;
		return START_MICROS + elapsed + elapsed * this.drift / 1_000_000 + this.offsetMicros;
	}

	/** How much true time passes until its clock shows some milliseconds. */
	long trueNanosUntil(long millis) {
		long nanos = (millis * 1000 - micros()) * 1000;
		return nanos - nanos * this.drift / 1_000_000;
	}

	/** A lock as it was left by the last script. */
	StoredLock lock(String key) {
		return this.locks.getOrDefault(key, SimulatedStore.read(List.of()));
	}

	/**
	 * A command arrives.
	 * @param command what to execute
	 * @param answer gets the answer; nothing if the server stops before
	 */
	void receive(Command command, Consumer<Object> answer) {
		if (this.stalls) {
			this.stalled.add(() -> execute(command, answer));
		}
		else {
			execute(command, answer);
		}
	}

	private void execute(Command command, Consumer<Object> answer) {
		long micros = micros();
		List<String> words = new ArrayList<>();
		words.add(command.byText() ? "EVAL" : "EVALSHA");
		words.add(command.byText() ? this.scripts.get(command.verb()) : this.digests.get(command.verb()));
		words.add("1");
		words.add(command.key());
		words.addAll(command.arguments());
		words.add(Long.toString(micros / 1_000_000));
		words.add(Long.toString(micros % 1_000_000));
		Object answered = this.wire.ask(words);
		this.world.figures().scripts++;
		if (answered instanceof List<?> parts) {
			if (parts.get(3).equals(1L)) {
				collected(command.key());
			}
			executed(command, micros / 1000, parts);
			answer.accept((parts.get(0) instanceof List<?> reply) ? reply : List.of(parts.get(0)));
		}
		else {
			this.world.trace().add("server", "fails", command, answered);
			this.world.rules().failed(command, (RedisWire.Failure) answered);
			answer.accept(answered);
		}
	}

	@SuppressWarnings("unchecked")
	private void executed(Command command, long millis, List<?> parts) {
		StoredLock before = lock(command.key());
		StoredLock after = this.world.rules().read(command, (List<Object>) parts.get(2));
		this.locks.put(command.key(), after);
		this.world.trace().add("server", "executes", command, "->", parts.get(0), after);
		this.world.rules().executed(command, millis, before, after, parts.get(0));
		List<String> published = (List<String>) parts.get(1);
		for (int i = 0; i < published.size(); i += 2) {
			this.world.published(published.get(i), published.get(i + 1));
		}
	}

	/** Its time was over; a clock that jumps makes that too early. */
	private void collected(String key) {
		this.locks.remove(key);
		if (!this.world.scenario().steady()) {
			this.world.rules().stateLost(key);
		}
	}

	void stall(long nanos) {
		if (!this.stalls) {
			this.stalls = true;
			this.world.schedule().in(nanos, this::resume);
		}
	}

	void resume() {
		if (this.stalls) {
			this.stalls = false;
			this.world.trace().add("server", "goes on");
			while (!this.stalled.isEmpty()) {
				this.stalled.remove().run();
			}
		}
	}

	void stepClock(long millis) {
		this.offsetMicros += millis * 1000;
	}

	void forgetScripts() {
		ask("SCRIPT", "FLUSH");
	}

	void delete(String key) {
		ask("DEL", key);
		ask("HDEL", "due", key);
		forget(key);
	}

	void empty() {
		ask("FLUSHDB");
		forgetScripts();
		List.copyOf(this.locks.keySet()).forEach(this::forget);
	}

	/** A replica has all that was written until now. */
	void replicate() {
		ask("SELECT", "1");
		ask("FLUSHDB");
		ask("SELECT", "0");
		ask("EVAL", "for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', '1') end",
				"0");
		this.replicated.clear();
		this.replicated.putAll(this.locks);
	}

	/** The replica becomes the master. */
	void failOver() {
		this.masterSince = micros() / 1000;
		ask("SWAPDB", "0", "1");
		ask("DEBUG", "CHANGE-REPL-ID");
		List.copyOf(this.locks.keySet()).forEach(this::forget);
		this.locks.putAll(this.replicated);
	}

	/** Whether it became the master so lately that it must not grant a lock. */
	boolean isNew(long millis) {
		return millis < this.masterSince + this.world.scenario().failoverDelay().toMillis();
	}

	/** Whether it grants no lock, by what it has noted of the delay. */
	boolean delays(long millis) {
		if (this.world.scenario().failoverDelay().isZero()) {
			return false;
		}
		String[] noted = ((String) this.wire.ask(List.of("GET", SimulatedStore.MASTER))).split(";");
		return !replicationId().equals(noted[1]) || Long.parseLong(noted[0]) > millis;
	}

	private String replicationId() {
		String replication = (String) this.wire.ask(List.of("INFO", "replication"));
		return replication.lines()
			.filter((line) -> line.startsWith("master_replid:"))
			.map((line) -> line.substring("master_replid:".length()))
			.findFirst()
			.orElseThrow();
	}

	private void forget(String key) {
		this.locks.remove(key);
		this.world.rules().stateLost(key);
	}

	private void ask(String... words) {
		if (this.wire.ask(List.of(words)) instanceof RedisWire.Failure failure) {
			throw new IllegalStateException(failure.message());
		}
	}

	private static String sha1(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
			return String.format("%040x", new BigInteger(1, digest));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
