package io.distlock.benchmark.stores;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.HdrHistogram.ConcurrentHistogram;

/** One process of a load: waits for the signal, measures, and prints what it found. */
final class Worker {

	private final ConcurrentHistogram waits = new ConcurrentHistogram(3);

	private final AtomicLong measured = new AtomicLong();

	private final AtomicLong all = new AtomicLong();

	private final Peer peer;

	private final Load load;

	private final MappedByteBuffer counters;

	private volatile boolean measuring;

	private volatile boolean done;

	private Worker(Peer peer, Load load, MappedByteBuffer counters) {
		this.peer = peer;
		this.load = load;
		this.counters = counters;
	}

	/**
	 * Arguments: implementation, address, file of counters, the load, milliseconds of the
	 * warm-up and of the measurement.
	 */
	public static void main(String[] arguments) throws Exception {
		Implementation implementation = Implementation.valueOf(arguments[0]);
		Load load = new Load("", 1, Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]),
				Integer.parseInt(arguments[5]));
		try (FileChannel file = FileChannel.open(Path.of(arguments[2]), StandardOpenOption.READ,
				StandardOpenOption.WRITE); Peer peer = implementation.open(arguments[1], load.threads())) {
			MappedByteBuffer counters = file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES * load.keys());
			new Worker(peer, load, counters).run(Long.parseLong(arguments[6]), Long.parseLong(arguments[7]));
		}
		System.exit(0);
	}

	private void run(long warmUpMillis, long millis) throws Exception {
		// Sessions and pools begin with the first command.
		this.peer.acquire("first-" + ProcessHandle.current().pid()).run();
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		System.out.println("ready");
		in.readLine();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < this.load.threads(); i++) {
			Thread thread = new Thread(this::work, "worker-" + i);
			threads.add(thread);
			thread.start();
		}
		TimeUnit.MILLISECONDS.sleep(warmUpMillis);
		this.measuring = true;
		long begun = System.nanoTime();
		TimeUnit.MILLISECONDS.sleep(millis);
		this.measuring = false;
		long nanos = System.nanoTime() - begun;
		this.done = true;
		for (Thread thread : threads) {
			thread.join();
		}
		System.out.println("rate " + this.measured.get() * 1e9 / nanos);
		System.out.println("all " + this.all.get());
		this.waits.recordedValues()
			.forEach((value) -> System.out
				.println("wait " + value.getValueIteratedTo() + " " + value.getCountAtValueIteratedTo()));
		System.out.println("end");
	}

	private void work() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		while (!this.done) {
			int key = random.nextInt(this.load.keys());
			boolean counts = this.measuring;
			try {
				long asked = System.nanoTime();
				Runnable release = this.peer.acquire("bench-" + key);
				long waited = System.nanoTime() - asked;
				body(key, random);
				release.run();
				this.all.incrementAndGet();
				if (counts && this.measuring) {
					this.measured.incrementAndGet();
					// Of the whole pair where nobody waits, which is what a caller pays.
					this.waits.recordValue((this.load.contended() ? waited : System.nanoTime() - asked) / 1000);
				}
			}
			catch (Exception ex) {
				ex.printStackTrace();
				System.exit(1);
			}
		}
	}

	/** Neither atomic nor synchronized: the lock has to do. */
	private void body(int key, ThreadLocalRandom random) {
		long before = this.counters.getLong(Long.BYTES * key);
		if (this.load.bodyMicros() > 0) {
			LockSupport.parkNanos(1000L * random.nextInt(this.load.bodyMicros()));
		}
		this.counters.putLong(Long.BYTES * key, before + 1);
	}

}
