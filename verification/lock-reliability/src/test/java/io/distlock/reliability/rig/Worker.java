package io.distlock.reliability.rig;

import java.io.IOException;

import io.distlock.test.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockTemplate;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A process that contends for locks: acquires, works in a section, releases, and writes
 * down what it did. Ends in good order when told by the board or by SIGTERM, and at once
 * when its parent is gone.
 */
final class Worker {

	private static final long GRACE_SECONDS = 10;

	/** A request whose outcome is not known may be repeated for 10 s and two timeouts. */
	private static final long IDLE_SECONDS = 30;

	private final int id;

	private final Board board;

	private final Journal journal;

	private final LockTemplate locks;

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean ending;

	private Worker(WorkerOptions options, LockTemplate locks) throws IOException {
		this.id = options.number("id");
		this.board = Board.in(options.directory());
		this.journal = new Journal(options.directory(), this.id);
		this.locks = locks;
		for (int i = 0; i < options.number("threads"); i++) {
			Contestant contestant = new Contestant(this.id, i, options, this.board, this.journal, locks, this::ending);
			this.threads.add(new Thread(contestant, "contestant-" + i));
		}
	}

	public static void main(String[] arguments) throws Exception {
		WorkerOptions options = WorkerOptions.parse(arguments);
		if (options.text("url") != null) {
			HikariDataSource pool = DatabaseLocks.pool(options.text("url"));
			new Worker(options, DatabaseLocks.template(options, pool)).work(options, pool::close);
			return;
		}
		RedisConnectionFactory factory = WorkerLocks.factory(options, options.text("host"), options.number("port"));
		LockTemplate locks = switch (options.text("lock")) {
			case "none" -> new BrokenLocks.None(options.millis("lease"));
			case "naive" -> new BrokenLocks.Naive(factory, options.millis("lease"));
			default -> WorkerLocks.template(options, factory);
		};
		new Worker(options, locks).work(options, () -> WorkerLocks.close(factory));
	}

	private boolean ending() {
		return this.ending || this.board.get(this.id, Board.Fact.TASK) == 2;
	}

	private void work(WorkerOptions options, Runnable connections) throws InterruptedException {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> terminated(connections), "terminated"));
		Parent.dieWithIt();
		burn(options);
		this.threads.forEach(Thread::start);
		this.board.set(this.id, Board.Fact.CLOCK, System.currentTimeMillis());
		this.board.set(this.id, Board.Fact.READY, 1);
		if (options.flag("interrupts")) {
			interruptThem();
		}
		for (Thread thread : this.threads) {
			thread.join();
		}
		if (Boolean.parseBoolean(options.text("lingers", "false"))) {
			Pause.atMost(Duration.ofNanos(Long.MAX_VALUE / 4), this::ending);
		}
		boolean idle = idle();
		this.journal.write('D', this.id, System.nanoTime(), idle);
		if (!idle && this.locks instanceof CloseableLockTemplate template) {
			System.out.println(Entries.describe(template));
		}
		System.exit(0);
	}

	/** As a Spring context does it: templates first, then connections. */
	private void terminated(Runnable connections) {
		long begun = System.nanoTime();
		this.ending = true;
		boolean free = true;
		if (this.locks instanceof CloseableLockTemplate template) {
			free = template.shutdown(Duration.ofSeconds(GRACE_SECONDS));
		}
		connections.run();
		this.journal.write('T', this.id, begun, System.nanoTime(), free);
	}

	private boolean idle() {
		return !(this.locks instanceof CloseableLockTemplate template)
				|| Pause.atMost(Duration.ofSeconds(IDLE_SECONDS), template::isIdle);
	}

	private void interruptThem() {
		while (this.threads.stream().anyMatch(Thread::isAlive)) {
			Pause.atMost(Duration.ofNanos(1_000_000), () -> false);
			this.threads.get(ThreadLocalRandom.current().nextInt(this.threads.size())).interrupt();
		}
	}

	/** Takes CPU and memory away from the locks. */
	private static void burn(WorkerOptions options) {
		for (int i = 0; i < Integer.parseInt(options.text("burners", "0")); i++) {
			Thread burner = new Thread(() -> {
				byte[][] garbage = new byte[64][];
				for (int round = 0;; round++) {
					garbage[round % garbage.length] = new byte[100_000];
				}
			}, "burner-" + i);
			burner.setDaemon(true);
			burner.start();
		}
	}

}
