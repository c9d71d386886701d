package io.distlock.zookeeper;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Knows which processes are alive. A process whose name was seen once and is missing now
 * is over for good. This holds even if the server lags behind: the deletion of the
 * process's znode is committed, and no name is used twice.
 */
final class LiveProcesses {

	private static final int REMEMBERED = 4096;

	private final Set<String> gone = Collections.synchronizedSet(Collections.newSetFromMap(new Recent()));

	private final Calls calls;

	private final Znodes znodes;

	private final Runnable someoneDied;

	private volatile Set<String> alive = Set.of();

	private volatile boolean watched;

	/**
	 * Creates the view of one session.
	 * @param calls the session
	 * @param znodes makes the names of znodes
	 * @param someoneDied called when processes have ended
	 */
	LiveProcesses(Calls calls, Znodes znodes, Runnable someoneDied) {
		this.calls = calls;
		this.znodes = znodes;
		this.someoneDied = someoneDied;
	}

	static String name(String engine, long session, int number) {
		return engine + "." + String.format("%016x-%x", session, number);
	}

	/** Reads which processes are alive, and reads again after each change. */
	CompletionStage<Void> watch() {
		boolean asked = false;
		this.watched = true;
		try {
			CompletionStage<Void> watching = this.calls.children(this.znodes.lives(), this::changed)
				.thenAccept(this::update)
				.exceptionally((failure) -> {
					this.watched = false;
					return null;
				});
			asked = true;
			return watching;
		}
		finally {
			// After an error no other code would set the watch again.
			if (!asked) {
				this.watched = false;
			}
		}
	}

	/** Sets the watch again after a failure has ended it. */
	void keepWatching() {
		if (!this.watched) {
			watch();
		}
	}

	private void changed(WatchedEvent event) {
		if (event.getType() == Watcher.Event.EventType.NodeChildrenChanged) {
			watch();
		}
		else if (event.getType() != Watcher.Event.EventType.None) {
			this.watched = false;
		}
	}

	private void update(List<String> names) {
		Set<String> now = Set.copyOf(names);
		Set<String> ended = new HashSet<>(this.alive);
		ended.removeAll(now);
		this.gone.addAll(ended);
		this.alive = now;
		if (!ended.isEmpty()) {
			this.someoneDied.run();
		}
	}

	/** Returns whether a process is known to be over for good. */
	boolean isGone(String incarnation) {
		return this.gone.contains(incarnation);
	}

	/** Returns whether this name comes before the names of all other processes. */
	boolean isFirst(String incarnation) {
		return this.alive.stream().noneMatch((other) -> other.compareTo(incarnation) < 0);
	}

	/**
	 * Finds out which processes of a record are over. The session that has read the
	 * record asks the server, so the server knows the beginning of each process.
	 */
	CompletionStage<Void> check(Set<String> incarnations) {
		CompletableFuture<?>[] asked = incarnations.stream()
			.filter((incarnation) -> !this.alive.contains(incarnation) && !isGone(incarnation))
			.map((incarnation) -> checkOne(incarnation).toCompletableFuture())
			.toArray(CompletableFuture<?>[]::new);
		return (asked.length == 0) ? CompletableFuture.completedFuture(null) : CompletableFuture.allOf(asked);
	}

	/**
	 * Finds out whether one process is over. An invalid name never belonged to a process,
	 * so it counts as over.
	 */
	CompletionStage<Boolean> checkOne(String incarnation) {
		if (!Znodes.isName(incarnation)) {
			this.gone.add(incarnation);
			return CompletableFuture.completedFuture(true);
		}
		return this.calls.exists(this.znodes.live(incarnation)).thenApply((exists) -> {
			if (!exists) {
				this.gone.add(incarnation);
			}
			return !exists;
		});
	}

	private static final class Recent extends LinkedHashMap<String, Boolean> {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
			return size() > REMEMBERED;
		}

	}

}
