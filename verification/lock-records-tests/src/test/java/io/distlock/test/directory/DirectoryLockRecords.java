package io.distlock.test.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.LockStoreException;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordEvents;
import io.distlock.records.place.RecordTraits;
import io.distlock.records.place.RecordTraits.Lifetime;
import io.distlock.spi.TransientStoreException;

// tag::records[]
/** Keeps the locks of the processes of one machine in a directory, a file per lock. */
public final class DirectoryLockRecords implements LockRecords {

	// The machine's clock ends holds; nothing wakes waiters, so they poll.
	private static final RecordTraits TRAITS = new RecordTraits(Lifetime.CLOCK, false, 1_000_000);

	// The lock of a file is one of the process: threads need another one.
	private static final ReentrantLock THREADS = new ReentrantLock();

	private final Path directory;

	private volatile String engine = "";

	private volatile ExecutorService thread;

	public DirectoryLockRecords(Path directory) {
		this.directory = directory;
	}

	@Override
	public RecordTraits traits() {
		return TRAITS;
	}

	@Override
	public void start(String engine, RecordEvents events) {
		this.engine = engine;
		ThreadPoolExecutor started = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				(task) -> {
					Thread daemon = new Thread(task, "lock-directory");
					daemon.setDaemon(true);
					return daemon;
				});
		started.allowCoreThreadTimeOut(true);
		this.thread = started;
	}

	@Override
	public void stop() {
		this.thread.shutdown();
	}

	@Override
	public CompletionStage<Seen> read(String key) {
		return alone(key, () -> seen(key));
	}

	@Override
	public CompletionStage<Written> write(Change change) {
		return alone(change.key(), () -> {
			Stored stored = stored(change.key());
			long now = time().now();
			boolean inTime = change.notBefore() <= now && now <= change.notAfter();
			if (!inTime || !isExpected(change, stored)) {
				return new Written.Lost(Optional.of(seen(change.key())));
			}
			String version = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
			Path written = Files.createTempFile(this.directory, "new-", "");
			Files.writeString(written, version + " " + change.idle() + " " + change.highest() + "\n" + change.text());
			Files.move(written, file(change.key()), StandardCopyOption.ATOMIC_MOVE);
			return new Written.Done(version, 0);
		});
	}

	private static boolean isExpected(Change change, Stored stored) {
		if (change.expected() instanceof Expected.At at) {
			return stored != null && stored.version().equals(at.version());
		}
		boolean free = change.expected() instanceof Expected.Free && stored != null && stored.idle()
				&& stored.highest() < change.tokenFloor();
		return stored == null || free;
	}

	@Override
	public Optional<StoreTime> estimate() {
		// All processes have this clock, so it need not be estimated.
		return Optional.of(time());
	}

	@Override
	public String describe() {
		return "directory " + this.directory;
	}

	private StoreTime time() {
		Instant now = Instant.now();
		// No incarnation is over before its time: the clock alone ends holds.
		return new StoreTime(now.toEpochMilli(), ChronoUnit.MICROS.between(Instant.EPOCH, now), this.engine,
				(incarnation) -> false);
	}

	private Seen seen(String key) throws IOException {
		Stored stored = stored(key);
		return (stored == null) ? new Seen(new Expected.Absent(), "", 0, time())
				: new Seen(new Expected.At(stored.version()), stored.text(), 0, time());
	}

	private Stored stored(String key) throws IOException {
		if (!Files.exists(file(key))) {
			return null;
		}
		String[] lines = Files.readString(file(key)).split("\n", 2);
		String[] head = lines[0].split(" ");
		return new Stored(head[0], Boolean.parseBoolean(head[1]), Long.parseLong(head[2]), lines[1]);
	}

	/** A key may have any characters and any length, the name of a file may not. */
	private Path file(String key) {
		try {
			// No charset: in each of them all lone surrogates are the same.
			ByteBuffer characters = ByteBuffer.allocate(2 * key.length());
			characters.asCharBuffer().put(key);
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(characters.array());
			return this.directory.resolve(HexFormat.of().formatHex(digest));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Off the caller's thread, and with no other thread or process at the same time. */
	private <T> CompletionStage<T> alone(String key, Callable<T> step) {
		CompletableFuture<T> answer = new CompletableFuture<>();
		try {
			this.thread.execute(() -> {
				THREADS.lock();
				try (FileChannel mutex = FileChannel.open(this.directory.resolve("mutex"), StandardOpenOption.CREATE,
						StandardOpenOption.WRITE); FileLock held = mutex.lock()) {
					answer.complete(step.call());
				}
				catch (IOException ex) {
					// Perhaps it was written, perhaps not: the store finds out.
					answer.completeExceptionally(new TransientStoreException(key, describe() + " failed", ex));
				}
				catch (Exception ex) {
					answer.completeExceptionally(new LockStoreException(key, describe() + " is damaged", ex));
				}
				finally {
					THREADS.unlock();
				}
			});
		}
		catch (RejectedExecutionException ex) {
			answer.completeExceptionally(new LockStoreException(key, describe() + " is closed", ex));
		}
		return answer;
	}

	private record Stored(String version, boolean idle, long highest, String text) {
	}

}
// end::records[]
