package io.distlock.reliability.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.test.ChildJvm;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers on one server, and the director who tells them which locks to contend for. Used
 * by one thread.
 */
public final class Cast implements AutoCloseable {

	/** How long anything may take on a machine that runs several such tests at once. */
	private static final Duration LIMIT = Duration.ofMinutes(3);

	private final Path directory;

	private final Board board;

	private final String host;

	private final int port;

	private final List<Member> members = new ArrayList<>();

	private final Map<Integer, Long> killed = new HashMap<>();

	private int firstKey;

	private int keys;

	/** Prepares a cast for a server, or for a proxy before it. */
	public Cast(String host, int port) {
		try {
			this.directory = Files.createTempDirectory("cast-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.board = Board.in(this.directory);
		this.host = host;
		this.port = port;
		this.board.set(Board.Order.WAIT_MILLIS, 10_000);
	}

	/** A worker and what can be done to it. */
	public final class Member {

		private final int id;

		private final ChildJvm process;

		private Member(int id, ChildJvm process) {
			this.id = id;
			this.process = process;
		}

		/** Its number, by which the board and the history know it. */
		public int id() {
			return this.id;
		}

		/**
		 * What {@code kill -9} does.
		 * @return the moment before
		 */
		public long kill() {
			long now = System.nanoTime();
			Cast.this.killed.put(this.id, now);
			this.process.kill();
			return now;
		}

		/** Stops it between two instructions. */
		public void freeze() {
			this.process.signal("STOP");
		}

		/** Ends {@link #freeze()}. */
		public void thaw() {
			this.process.signal("CONT");
		}

		/** Asks it to end, as a container is asked. */
		public void terminate() {
			this.process.signal("TERM");
		}

		/** Waits until the process is gone. */
		public int awaitExit() {
			return this.process.awaitExit(LIMIT);
		}

		/** Reads a fact. */
		public long get(Board.Fact fact) {
			return Cast.this.board.get(this.id, fact);
		}

		/** Lets it work, or rest once it is out of its section. */
		public void works(boolean works) {
			Cast.this.board.set(this.id, Board.Fact.TASK, works ? 0 : 1);
		}

		/** Lets it stay in its section, or leave it. */
		public void stays(boolean stays) {
			Cast.this.board.set(this.id, Board.Fact.STAY, stays ? 1 : 0);
		}

	}

	/** Starts a worker; {@link #awaitReady()} waits for it. */
	public Member add(WorkerOptions options) {
		int id = this.members.size();
		WorkerOptions all = options.with("id", id)
			.with("directory", this.directory)
			.with("host", options.text("host", this.host))
			.with("port", options.text("port", String.valueOf(this.port)));
		Member member = new Member(id, process(all).start());
		this.members.add(member);
		return member;
	}

	private static ChildJvm.Builder process(WorkerOptions options) {
		ChildJvm.Builder process = ChildJvm.of(Worker.class)
			.options(List.of("-Xmx128m"))
			.options(options.jvm())
			.args(options.arguments());
		options.environment().forEach(process::environment);
		return process;
	}

	/** Starts one that rests. */
	public Member addResting(WorkerOptions options) {
		this.board.set(this.members.size(), Board.Fact.TASK, 1);
		return add(options);
	}

	/** Waits until all who live are connected. */
	public void awaitReady() {
		await(() -> alive().stream().allMatch((member) -> member.get(Board.Fact.READY) == 1));
	}

	/** Those who were not killed and did not end. */
	public List<Member> alive() {
		return this.members.stream().filter((member) -> member.process.isAlive()).toList();
	}

	/** The living member in the section of a key; waits until there is one. */
	public Member awaitOccupant(int key) {
		AtomicReference<Member> occupant = new AtomicReference<>();
		await(() -> {
			int id = this.board.occupant(key);
			// A killed worker never leaves its section.
			occupant.set((id >= 0 && this.members.get(id).process.isAlive()) ? this.members.get(id) : null);
			return occupant.get() != null;
		});
		return occupant.get();
	}

	/**
	 * A member that was ordered to stay in the section of a key of the play, and does;
	 * waits until there is one. The occupant may be on its way out when the order comes.
	 */
	public Member awaitStaying() {
		await(() -> staying().isPresent());
		return staying().orElseThrow();
	}

	private Optional<Member> staying() {
		return IntStream.range(this.firstKey, this.firstKey + this.keys)
			.map(this.board::staying)
			.filter((worker) -> worker >= 0)
			.mapToObj(this.members::get)
			.filter((member) -> member.process.isAlive())
			.findFirst();
	}

	/** The board of this cast. */
	public Board board() {
		return this.board;
	}

	/**
	 * Lets all who do not rest contend for keys that nobody used before.
	 * @return the first of them
	 */
	public int play(int keys, Duration section, Duration rest) {
		this.firstKey += this.keys;
		this.keys = keys;
		this.board.set(Board.Order.SECTION_NANOS, section.toNanos());
		this.board.set(Board.Order.REST_NANOS, rest.toNanos());
		this.board.set(Board.Order.FIRST_KEY, this.firstKey);
		this.board.set(Board.Order.KEYS, keys);
		return this.firstKey;
	}

	/** How many sections have ended so far. */
	public long sections() {
		return this.members.stream().mapToLong((member) -> member.get(Board.Fact.SECTIONS)).sum();
	}

	/** How many attempts have failed because of the store. */
	public long errors() {
		return this.members.stream().mapToLong((member) -> member.get(Board.Fact.ERRORS)).sum();
	}

	/** Waits until so many more sections have ended. */
	public void awaitSections(int more) {
		long goal = sections() + more;
		await(() -> sections() >= goal);
	}

	/** Waits for something, not for ever. */
	public void await(BooleanSupplier condition) {
		try {
			Awaitility.await().pollInterval(Duration.ofMillis(1)).atMost(LIMIT).until(condition::getAsBoolean);
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError("Did not come true within " + LIMIT + ": " + describe(), ex);
		}
	}

	/** Who does what at the moment. */
	private String describe() {
		return this.members.stream()
			.map((member) -> "worker " + member.id + (member.process.isAlive() ? " " : " (dead) ")
					+ Stream.of(Board.Fact.values()).map((fact) -> fact + "=" + member.get(fact)).toList())
			.collect(Collectors.joining("; "));
	}

	/**
	 * Stops the play; returns when nobody waits for a lock or holds one, and all is
	 * written.
	 */
	public void rest() {
		alive().forEach((member) -> member.works(false));
		await(() -> alive().stream().allMatch((member) -> member.get(Board.Fact.AT_WORK) == 0));
	}

	/**
	 * Lets all contend for some keys of this play only; returns when nobody holds another
	 * or waits for it.
	 */
	public void contendFor(int first, int keys) {
		rest();
		this.board.set(Board.Order.FIRST_KEY, first);
		this.board.set(Board.Order.KEYS, keys);
		alive().forEach((member) -> member.works(true));
	}

	/** What happened to the keys of the last play. */
	public History history() {
		return all().of(this.firstKey, this.keys);
	}

	/** What happened so far. */
	public History all() {
		return History.read(this.directory, this.members.size(), this.killed);
	}

	/**
	 * Says that nothing went wrong with the keys of the last play, in which no worker was
	 * stopped or killed: so each count is there.
	 */
	public Checker.Verdict verdict() {
		History history = history();
		Checker.Verdict verdict = Checker.judge(history);
		assertThat(verdict.violations()).as("violations").isEmpty();
		for (int key = this.firstKey; key < this.firstKey + this.keys; key++) {
			assertThat(this.board.counter(key)).as("count of key " + key).isEqualTo(history.counted(key));
		}
		assertThat(verdict.forgotten()).as("holds that the store forgot").isZero();
		return verdict;
	}

	/**
	 * Ends all workers in good order.
	 * @return the verdict on all they did
	 */
	public Checker.Verdict end() {
		alive().forEach((member) -> this.board.set(member.id(), Board.Fact.TASK, 2));
		for (Member member : this.members) {
			int status = member.awaitExit();
			if (!this.killed.containsKey(member.id()) && status != 0 && status != 143) {
				throw new AssertionError(
						"Worker " + member.id() + " ended with " + status + ": " + member.process.output());
			}
		}
		History history = all();
		Checker.Verdict verdict = Checker.judgeEnded(history, this.members.size());
		this.members.stream()
			.filter((member) -> history.uneasy().contains(member.id()))
			.forEach((member) -> verdict.others()
				.add("Worker " + member.id() + " printed last: " + member.process.output()));
		return verdict;
	}

	/** What a worker printed last. */
	public String output(Member member) {
		return member.process.output();
	}

	@Override
	public void close() {
		alive().forEach((member) -> member.process.kill());
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			// Nothing but temporary files are left behind.
		}
	}

}
