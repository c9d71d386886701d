package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.distlock.LockStoreException;
import io.distlock.records.RecordIncarnations;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordEvents;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.StoreSession;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;
import io.distlock.support.KeyText;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records as znodes. A record exists while the lock has a holder or a waiter. A
 * hold lasts as long as the session of its process.
 */
final class ZooKeeperLockRecords implements LockRecords {

	/**
	 * The longest record. The servers accept requests of 1 MB, and a message may
	 * accompany a record.
	 */
	private static final int LONGEST_TEXT = 500_000;

	private static final RecordTraits TRAITS = new RecordTraits(RecordTraits.Lifetime.SESSION, true, LONGEST_TEXT);

	private final Client client;

	private final ZooKeeperLockStoreSettings settings;

	private final Znodes znodes;

	private final TakenLocks taken = new TakenLocks(System::nanoTime);

	/** The longest lease of any hold, in nanoseconds. */
	private final AtomicLong longestLease = new AtomicLong();

	private volatile Runnable newSession = () -> {
	};

	private volatile @Nullable ProcessNode process;

	ZooKeeperLockRecords(Client client, ZooKeeperLockStoreSettings settings) {
		this.client = client;
		this.settings = settings;
		this.znodes = new Znodes(client.namespace(), settings.root());
	}

	/**
	 * Sets the action to run when this process has begun a session after its first
	 * session.
	 */
	void onNewSession(Runnable action) {
		this.newSession = action;
	}

	/**
	 * Notes a lease. An owner may rely on a hold for this time after the store has
	 * stopped.
	 */
	void leased(Duration lease) {
		this.longestLease.accumulateAndGet(lease.toNanos(), Math::max);
	}

	@Override
	public RecordTraits traits() {
		return TRAITS;
	}

	@Override
	public void start(String engine, RecordEvents events) {
		ProcessNode started = new ProcessNode(this.client, this.settings, this.znodes, engine, events, this.newSession);
		this.process = started;
		started.start();
	}

	@Override
	public void stop() {
		ProcessNode stopped = this.process;
		this.process = null;
		if (stopped != null) {
			stopped.stop(this.longestLease.get());
		}
	}

	@Override
	public String describe() {
		return "ZooKeeper at " + ForeignText.of(this.client.address()) + " under " + this.znodes.root();
	}

	@Override
	public CompletionStage<Seen> read(String key) {
		return asking((living) -> living.session()
			.calls()
			.get(this.znodes.lock(key), null)
			.thenCompose((found) -> seen(key, living, found)));
	}

	private CompletionStage<Seen> seen(String key, ProcessNode.Living living, Optional<Calls.Found> found) {
		return found.isPresent() ? seen(key, living, found.get())
				: CompletableFuture.completedFuture(new Seen(new Expected.Absent(), "", 0, time(living)));
	}

	@Override
	public boolean lists() {
		return true;
	}

	/** Lists the locks. Names are read folder by folder, and records one by one. */
	@Override
	public CompletionStage<Listing> list(String prefix, String cursor, int most) {
		String beginning = Znodes.beginning(prefix);
		return asking((living) -> names(living, beginning, cursor).thenCompose((all) -> {
			List<String> page = all.subList(0, Math.min(most, all.size()));
			String next = (page.size() < all.size()) ? page.get(most - 1) : "";
			CompletableFuture<List<Named>> read = CompletableFuture.completedFuture(List.of());
			for (String name : page) {
				read = read.thenCombine(named(name, living), (before, more) -> {
					List<Named> both = new ArrayList<>(before);
					both.addAll(more);
					return both;
				});
			}
			return read.thenApply((records) -> new Listing(records, next));
		}));
	}

	private CompletionStage<List<String>> names(ProcessNode.Living living, String beginning, String cursor) {
		List<CompletableFuture<List<String>>> folders = this.znodes.spread()
			.stream()
			.map((folder) -> living.session().calls().names(folder).toCompletableFuture())
			.toList();
		return CompletableFuture.allOf(folders.toArray(CompletableFuture<?>[]::new))
			.thenApply((all) -> folders.stream()
				.flatMap((names) -> names.join().stream())
				.filter((name) -> name.startsWith(beginning) && name.compareTo(cursor) > 0)
				.sorted()
				.toList());
	}

	/**
	 * The record of a znode, unless it has gone meanwhile, or cannot or may not be read.
	 */
	private CompletionStage<List<Named>> named(String name, ProcessNode.Living living) {
		String key = Znodes.key(name);
		return living.session().calls().getIfAllowed(this.znodes.path(name)).thenCompose((found) -> {
			if (found.isEmpty()) {
				return CompletableFuture.completedFuture(List.<Named>of());
			}
			return seen(key, living, found.get()).thenApply((seen) -> List.of(new Named(key, seen)))
				.exceptionally((failure) -> List.of());
		});
	}

	private CompletionStage<Seen> seen(String key, ProcessNode.Living living, Calls.Found found) {
		RecordNode node;
		try {
			node = RecordNode.of(found.data());
		}
		catch (IllegalArgumentException ex) {
			return CompletableFuture.failedFuture(
					new LockStoreException(key,
							"The record of lock '" + KeyText.of(key) + "' in " + describe() + " cannot be read: "
									+ ex.getMessage() + ". It was written by a newer version, or by something else",
							ex));
		}
		return living.processes()
			.check(livesIn(node.text()))
			.thenApply((checked) -> new Seen(
					new Expected.At(new RecordNode.Version(node.identity(), found.stat().getVersion())), node.text(),
					ProcessSession.tokenFloor(found.stat().getMzxid()), time(living)));
	}

	/** A record that cannot be read is refused by the store, which says why. */
	private static Set<String> livesIn(String text) {
		try {
			return RecordIncarnations.in(text);
		}
		catch (LockStoreException ex) {
			return Set.of();
		}
	}

	@Override
	public CompletionStage<Written> write(Change change) {
		if (!readsFirst(change)) {
			return execute(change);
		}
		return read(change.key()).thenCompose((seen) -> (seen.found() instanceof Expected.Absent) ? execute(change)
				: CompletableFuture.completedFuture(new Written.Lost(Optional.of(seen))));
	}

	/** Most likely another process has the lock: a refusal costs a transaction. */
	private boolean readsFirst(Change change) {
		return change.expected() instanceof Expected.Free && this.taken.isTaken(change.key());
	}

	private CompletionStage<Written> execute(Change change) {
		return asking((living) -> new RecordWrite(living.session(), living.processes(), this.znodes,
				this.settings.acl(), change)
			.send()
			.thenApply((written) -> {
				wrote(change, living.session().name(), written);
				return written;
			}));
	}

	private void wrote(Change change, String incarnation, Written written) {
		boolean own = change.text().contains(incarnation);
		boolean won = written instanceof Written.Done;
		ProcessNode now = this.process;
		if (now != null && won) {
			now.wrote(change.key(), own);
		}
		boolean others = won ? !own && !change.idle() : change.expected() instanceof Expected.Free;
		if (others) {
			this.taken.taken(change.key());
		}
		else if (won) {
			this.taken.free(change.key());
		}
	}

	@Override
	public Optional<StoreTime> estimate() {
		return living().map(ZooKeeperLockRecords::time);
	}

	@Override
	public StoreSession session(String incarnation) {
		return living().map(ProcessNode.Living::session)
			.filter((session) -> session.name().equals(incarnation))
			.<StoreSession>map((session) -> session)
			.orElse(StoreSession.OVER);
	}

	private static StoreTime time(ProcessNode.Living living) {
		return living.session().time(living.processes());
	}

	private Optional<ProcessNode.Living> living() {
		ProcessNode now = this.process;
		return (now != null) ? now.living() : Optional.empty();
	}

	/** A command on the present session, which is answered in time or fails. */
	private <T> CompletionStage<T> asking(Function<ProcessNode.Living, CompletionStage<T>> command) {
		ProcessNode now = this.process;
		if (now == null) {
			return CompletableFuture.failedFuture(LockStoreException.notRunning("store on " + describe()));
		}
		if (now.hasBegun()) {
			return asking(now, command);
		}
		return now.begins(this.settings.commandTimeout())
			.exceptionallyCompose((late) -> CompletableFuture.failedFuture(unusable(now)))
			.thenCompose((nothing) -> asking(now, command));
	}

	private TransientStoreException unusable(ProcessNode process) {
		return new TransientStoreException("", describe() + " cannot be used now: " + process.trouble(), null);
	}

	private <T> CompletionStage<T> asking(ProcessNode now, Function<ProcessNode.Living, CompletionStage<T>> command) {
		Optional<ProcessNode.Living> living = now.living();
		if (living.isEmpty() || !living.get().session().calls().isConnected()) {
			return CompletableFuture.failedFuture(unusable(now));
		}
		long timeout = this.settings.commandTimeout().toMillis();
		CompletableFuture<T> asked = command.apply(living.get()).toCompletableFuture();
		return asked.orTimeout(timeout, TimeUnit.MILLISECONDS).handle((answer, failure) -> {
			if (failure == null) {
				return answer;
			}
			Throwable cause = FutureFailures.unwrap(failure);
			if (cause instanceof KeeperException keeper) {
				ended(now, living.get(), keeper.code());
			}
			throw new CompletionException(ZooKeeperFailure.of(cause, describe(), timeout));
		});
	}

	private static void ended(ProcessNode process, ProcessNode.Living living, KeeperException.Code code) {
		if (ZooKeeperFailure.endsSession(code)) {
			living.session().end();
		}
		if (living.session().isOver() || code == KeeperException.Code.NONODE) {
			process.verify();
		}
	}

}
