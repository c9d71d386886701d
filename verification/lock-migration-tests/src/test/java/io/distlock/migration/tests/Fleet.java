package io.distlock.migration.tests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.distlock.test.ChildJvm;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/** Three instances with the old library and three with this one, and who directs them. */
final class Fleet implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private final List<ChildJvm> old = new ArrayList<>();

	private final List<ChildJvm> now = new ArrayList<>();

	private final Redis redis;

	Fleet(OldLibrary library, Redis redis, String address, boolean cluster, String database) {
		this.redis = redis;
		for (int i = 0; i < 3; i++) {
			for (String side : List.of("old", "new")) {
				(side.equals("old") ? this.old : this.now).add(ChildJvm.of(Node.class)
					.args(side, String.valueOf(i), library.name(), address, String.valueOf(cluster), database)
					.start());
			}
		}
		try {
			all().forEach((node) -> await(node, "ready"));
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
	}

	private Stream<ChildJvm> all() {
		return Stream.concat(this.old.stream(), this.now.stream());
	}

	private static void await(ChildJvm node, String text) {
		Awaitility.await().atMost(LIMIT).until(() -> node.printed(text) || !node.isAlive());
		if (!node.printed(text)) {
			throw new AssertionError(node.output());
		}
	}

	/**
	 * Lets all take turns in a phase.
	 * @param turns how many there are at least
	 * @param enough whether the phase may end then
	 */
	Result play(String phase, int turns, boolean kill, Predicate<Result> enough) {
		Stream
			.of(Node.COUNT, Node.INSIDE, Node.DOUBLES, Node.TURNS + "old", Node.TURNS + "new", Node.TURNS + "ours",
					Node.VICTIM)
			.forEach((key) -> this.redis.command("DEL", key));
		this.redis.command("SET", Node.PHASE, phase);
		if (kill) {
			await((result) -> result.turns() >= turns / 3);
			kill("old", this.old);
			await((result) -> result.turns() >= turns * 2 / 3);
			kill("new", this.now);
		}
		await((result) -> result.turns() >= turns && enough.test(result));
		this.redis.command("DEL", Node.PHASE);
		// A node that begins a turn from now on sees that there is no phase, and ends it.
		Awaitility.await().atMost(LIMIT).until(() -> number(this.redis.command("SCARD", Node.BUSY)) == 0);
		return result();
	}

	private Result result() {
		return new Result(number(this.redis.command("GET", Node.COUNT)),
				number(this.redis.command("GET", Node.DOUBLES)), turns("old"), turns("new"), turns("ours"));
	}

	private void await(Predicate<Result> condition) {
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(result()).matches(condition, "enough turns of each side"));
	}

	/** Kills an instance that has the lock. */
	private void kill(String side, List<ChildJvm> nodes) {
		int last = nodes.size() - 1;
		this.redis.command("SET", Node.VICTIM, side + last);
		ChildJvm victim = nodes.remove(last);
		await(victim, "inside");
		victim.kill();
		victim.awaitExit(LIMIT);
		this.redis.command("DEL", Node.VICTIM);
		this.redis.command("DEL", Node.INSIDE);
		for (int i = 0; i < Node.THREADS; i++) {
			this.redis.command("SREM", Node.BUSY, side + last + ":turns-" + i);
		}
	}

	private long turns(String side) {
		return number(this.redis.command("GET", Node.TURNS + side));
	}

	private static long number(String text) {
		return (text != null && !text.isEmpty()) ? Long.parseLong(text) : 0;
	}

	String output() {
		return String.join("\n", all().map(ChildJvm::output).toList());
	}

	@Override
	public void close() {
		all().forEach(ChildJvm::close);
	}

	/** Commands of the director. */
	@FunctionalInterface
	interface Redis {

		String command(String... words);

	}

	/**
	 * What happened in a phase.
	 *
	 * @param count what was counted in a way that loses counts
	 * @param doubles how often two were inside, or a token did not rise
	 * @param old turns with the old library
	 * @param now turns with both
	 * @param ours turns with this library alone, beside some with both
	 */
	record Result(long count, long doubles, long old, long now, long ours) {

		long turns() {
			return this.old + this.now + this.ours;
		}

	}

}
