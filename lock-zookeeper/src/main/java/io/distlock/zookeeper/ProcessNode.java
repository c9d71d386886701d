package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import io.distlock.records.place.RecordEvents;
import io.distlock.support.ForeignText;
import io.distlock.support.LoopGuard;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Represents this process in ZooKeeper, from start to stop of the store. It begins an
 * incarnation with each session, keeps the incarnation by heartbeats, and watches the
 * mailbox and the other processes. All of this runs on one thread, and no other thread
 * ever waits for ZooKeeper.
 */
final class ProcessNode {

	private static final Logger logger = LoggerFactory.getLogger(ProcessNode.class);

	private static final String THREAD = "distributed-lock-zookeeper";

	/** The number of heartbeats in a session timeout. */
	private static final int BEATS = 6;

	private static final long SWEEP_MILLIS = TimeUnit.MINUTES.toMillis(10);

	private static final long UNCONNECTED_MILLIS = 1000;

	private final ConnectionStateListener connection = (changed, state) -> connectionChanged(state);

	/** Locks whose records name this process, according to its own writes. */
	private final Set<String> concerned = ConcurrentHashMap.newKeySet();

	/** Incarnations whose creation was not confirmed. Their znodes may exist. */
	private final Set<String> unconfirmed = ConcurrentHashMap.newKeySet();

	private final LoopGuard guard = new LoopGuard(THREAD);

	private final Runnable check = this::check;

	private final Runnable plan = this::plan;

	/** Commands that wait for the first session. */
	private final Set<CompletableFuture<Void>> waiting = ConcurrentHashMap.newKeySet();

	private final Client client;

	private final ZooKeeperLockStoreSettings settings;

	private final Znodes znodes;

	private final String engine;

	private final RecordEvents events;

	private final Runnable newSession;

	private final ScheduledThreadPoolExecutor thread;

	private volatile @Nullable Living living;

	private volatile String trouble = "there is no connection yet";

	private volatile boolean stopped;

	private volatile boolean begun;

	/** Whether the last answered heartbeat was refused. */
	private volatile boolean refused;

	// Only the thread uses the remaining fields.

	private @Nullable CuratorFramework curator;

	/** A moment before the beginning of the next session. */
	private long before;

	private int incarnations;

	private long sweepAt;

	ProcessNode(Client client, ZooKeeperLockStoreSettings settings, Znodes znodes, String engine, RecordEvents events,
			Runnable newSession) {
		this.client = client;
		this.settings = settings;
		this.znodes = znodes;
		this.engine = engine;
		this.events = events;
		this.newSession = newSession;
		this.thread = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread created = new Thread(task, THREAD);
			created.setDaemon(true);
			return created;
		});
		this.thread.setRemoveOnCancelPolicy(true);
		this.thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	/** Returns the present incarnation, or empty while there is no session. */
	Optional<Living> living() {
		Living now = this.living;
		return (now != null && !now.session().isOver()) ? Optional.of(now) : Optional.empty();
	}

	/** Returns whether the first session has begun. */
	boolean hasBegun() {
		return this.begun;
	}

	/**
	 * Returns a stage that completes when the first session has begun. Commands of a
	 * starting application wait for it. The stage fails if the session takes too long. A
	 * failed stage is removed, because there may be no session for days.
	 * @param longest how long to wait
	 */
	CompletionStage<Void> begins(Duration longest) {
		CompletableFuture<Void> waiting = new CompletableFuture<>();
		this.waiting.add(waiting);
		if (this.begun) {
			// Perhaps no other thread completes the stages that were added meanwhile.
			waiting.complete(null);
		}
		return waiting.orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
			.whenComplete((nothing, late) -> this.waiting.remove(waiting));
	}

	/** Returns how many commands wait for the first session. */
	int waiting() {
		return this.waiting.size();
	}

	/** Returns why there is no session. */
	String trouble() {
		return this.trouble;
	}

	/**
	 * Notes whether the record that this process has just written names this incarnation.
	 */
	void wrote(String key, boolean concerns) {
		if (concerns) {
			this.concerned.add(key);
		}
		else {
			this.concerned.remove(key);
		}
	}

	void start() {
		this.sweepAt = System.nanoTime() + sweepPause();
		this.thread.execute(this::tick);
	}

	/**
	 * Ends the session of this process. If the session may still hold locks, this method
	 * waits until no owner relies on them.
	 * @param longestLease the longest lease of any hold, in nanoseconds
	 */
	void stop(long longestLease) {
		this.stopped = true;
		Living now = this.living;
		long remaining = (now != null && !this.concerned.isEmpty())
				? Math.min(longestLease, now.session().remainingNanos()) : 0;
		this.thread.schedule(this::close, remaining, TimeUnit.NANOSECONDS);
	}

	/**
	 * Called when a command has found that the session is over or its znodes are missing.
	 */
	void verify() {
		checkSoon();
	}

	private void connectionChanged(ConnectionState state) {
		if (state.isConnected()) {
			checkSoon();
		}
		else if (state == ConnectionState.LOST) {
			this.trouble = "the session is over, and there is no connection for a new one";
		}
		else {
			this.trouble = "the connection was lost";
		}
	}

	private void checkSoon() {
		try {
			this.thread.execute(() -> this.guard.run(this.check));
		}
		catch (RejectedExecutionException ex) {
			// The thread was closed meanwhile.
		}
	}

	/** Sends the heartbeat after any failure, because all holds rely on it. */
	private void tick() {
		if (this.stopped) {
			return;
		}
		this.guard.run(this.check);
		while (!this.guard.run(this.plan)) {
			LockSupport.parkNanos(LoopGuard.PAUSE.toNanos());
		}
	}

	private void plan() {
		long pause = living().map((now) -> TimeUnit.NANOSECONDS.toMillis(now.session().timeoutNanos()) / BEATS)
			.orElse(UNCONNECTED_MILLIS);
		this.thread.schedule(this::tick, Math.max(1, pause), TimeUnit.MILLISECONDS);
	}

	private CuratorFramework open() {
		CuratorFramework known = this.curator;
		if (known != null) {
			return known;
		}
		this.before = this.client.before();
		CuratorFramework opened = this.client.open();
		this.curator = opened;
		opened.getConnectionStateListenable().addListener(this.connection);
		return opened;
	}

	/**
	 * Makes sure that this process has an incarnation in the present session, and sends a
	 * heartbeat.
	 */
	private void check() {
		if (this.stopped) {
			return;
		}
		try {
			CuratorFramework opened = open();
			long asked = System.nanoTime();
			ZooKeeper session = opened.getZookeeperClient().getZooKeeper();
			Living now = this.living;
			if (now != null && now.session().isOf(session)) {
				this.before = asked;
				keep(now);
			}
			else if (session.getState().isConnected()) {
				begin(session);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (KeeperException ex) {
			this.trouble = ZooKeeperFailure.describe(ex.code());
		}
		catch (Exception ex) {
			this.trouble = ForeignText.messageOf(ex);
			logger.debug("No session at {}; this is tried again", this.client.address(), ex);
		}
	}

	private void keep(Living now) {
		now.session().beat().whenComplete((answer, failure) -> {
			if (answer instanceof Calls.Together.Refused refused) {
				refused(now, refused.code());
			}
			else if (answer instanceof Calls.Together.Done) {
				this.refused = false;
			}
			else if (failure instanceof KeeperException keeper && ZooKeeperFailure.endsSession(keeper.code())) {
				end(now);
			}
		});
		this.unconfirmed.forEach((name) -> forget(now.session(), name));
		now.mailbox().keepWatching();
		now.processes().keepWatching();
		if (System.nanoTime() - this.sweepAt > 0) {
			this.sweepAt = System.nanoTime() + sweepPause();
			new Sweeper(now.session(), now.processes(), this.znodes).run(this.client.address());
		}
	}

	/**
	 * Handles a heartbeat that was answered and not executed. Without heartbeats nothing
	 * proves the session, so all holds of this process end.
	 */
	private void refused(Living now, Code code) {
		if (code == Code.NONODE) {
			logger.warn("The znode of this process, {}, was deleted; its locks are lost", now.session().name());
			end(now);
		}
		else if (!this.refused) {
			this.refused = true;
			logger.warn(
					"ZooKeeper at {} refuses the heartbeats of this process on {}: {}. "
							+ "Until it accepts them, this process holds no lock",
					this.client.address(), this.znodes.live(now.session().name()), ZooKeeperFailure.describe(code));
		}
	}

	/**
	 * Deletes an incarnation that never began, so that it does not count as a member of
	 * the fleet. Its creation was sent before the deletion, so it is executed earlier or
	 * never.
	 */
	private void forget(ProcessSession processSession, String name) {
		processSession.calls().together(List.of(Op.delete(this.znodes.mail(name), -1)));
		processSession.calls().together(List.of(Op.delete(this.znodes.live(name), -1))).thenAccept((answer) -> {
			if (answer instanceof Calls.Together.Done
					|| answer instanceof Calls.Together.Refused refused && refused.code() == Code.NONODE) {
				this.unconfirmed.remove(name);
			}
		});
	}

	private void end(Living now) {
		now.session().end();
		verify();
	}

	private static long sweepPause() {
		return TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS / 2 + ThreadLocalRandom.current().nextLong(SWEEP_MILLIS));
	}

	private void begin(ZooKeeper session) throws InterruptedException, KeeperException, TimeoutException {
		createFolders(session);
		Living former = this.living;
		String name = LiveProcesses.name(this.engine, session.getSessionId(), ++this.incarnations);
		ProcessSession processSession = new ProcessSession(session, name, this.znodes.live(name), this.before);
		this.unconfirmed.add(name);
		Calls.Together answer = await(
				processSession.begin(List.of(ephemeral(this.znodes.live(name)), ephemeral(this.znodes.mail(name)))));
		if (answer instanceof Calls.Together.Refused refused) {
			this.unconfirmed.remove(name);
			throw KeeperException.create(refused.code(), this.znodes.live(name));
		}
		LiveProcesses processes = new LiveProcesses(processSession.calls(), this.znodes, this.events::missed);
		Living begun = new Living(processSession, processes,
				new Mailbox(processSession, this.znodes.mail(name), this.events));
		begun.mailbox().watch();
		await(begun.processes().watch());
		if (former != null) {
			former.session().end();
		}
		this.unconfirmed.remove(name);
		this.living = begun;
		this.begun = true;
		this.waiting.forEach((each) -> each.complete(null));
		long remaining = TimeUnit.NANOSECONDS.toMillis(processSession.remainingNanos());
		logger.info("Locks are kept at {} under {} by session {}: locks of a dead process stay taken for {} ms{}",
				this.client.address(), this.znodes.locks(), name, processSession.calls().timeoutMillis(),
				(remaining > 0) ? "" : "; until this session is known to be alive, none is granted");
		if (former != null) {
			this.newSession.run();
			this.events.missed();
		}
	}

	private Op ephemeral(String path) {
		return Op.create(path, new byte[0], this.settings.acl(), CreateMode.EPHEMERAL);
	}

	private void createFolders(ZooKeeper session) throws InterruptedException, KeeperException {
		Folders folders = new Folders(session, this.settings.acl());
		for (String folder : this.znodes.folders()) {
			folders.create(folder);
		}
		folders.createSpread(this.znodes);
	}

	private <T> T await(CompletionStage<T> stage) throws InterruptedException, KeeperException, TimeoutException {
		try {
			return stage.toCompletableFuture().get(this.settings.connectionTimeout().toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof KeeperException keeper) {
				throw keeper;
			}
			throw new IllegalStateException(ex.getCause());
		}
	}

	private void close() {
		Living last = this.living;
		this.living = null;
		CuratorFramework opened = this.curator;
		this.curator = null;
		if (opened != null) {
			opened.getConnectionStateListenable().removeListener(this.connection);
			if (last != null && !last.session().isOver()) {
				last.session().end();
				last.session()
					.calls()
					.together(List.of(Op.delete(this.znodes.live(last.session().name()), -1),
							Op.delete(this.znodes.mail(last.session().name()), -1)));
			}
			this.client.close(opened);
		}
		this.thread.shutdown();
	}

	/**
	 * A session with its watches.
	 *
	 * @param session the session
	 * @param processes the other processes
	 * @param mailbox the messages to the session
	 */
	record Living(ProcessSession session, LiveProcesses processes, Mailbox mailbox) {
	}

}
