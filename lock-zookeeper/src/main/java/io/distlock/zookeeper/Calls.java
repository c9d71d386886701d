package io.distlock.zookeeper;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockStoreException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands on one session without a waiting thread. It never repeats a command. A
 * failed stage has a {@link KeeperException}, or says that the answer would be too long.
 */
final class Calls {

	/** The length precedes each name in an answer of at most 1 MB. */
	static final int MOST_NAMES = 1_000_000 / (Znodes.LONGEST_NAME + Integer.BYTES);

	private final ZooKeeper session;

	Calls(ZooKeeper session) {
		this.session = session;
	}

	/** Returns whether the client has a connection at the moment. */
	boolean isConnected() {
		return this.session.getState().isConnected();
	}

	/** Returns the negotiated timeout of the session, in milliseconds. */
	int timeoutMillis() {
		return this.session.getSessionTimeout();
	}

	CompletionStage<Optional<Found>> get(String path, @Nullable Watcher watcher) {
		return get(path, watcher, EnumSet.of(Code.NONODE));
	}

	/**
	 * Reads a znode that any client may have created. The result is empty also if this
	 * client may not read the znode.
	 */
	CompletionStage<Optional<Found>> getIfAllowed(String path) {
		return get(path, null, EnumSet.of(Code.NONODE, Code.NOAUTH));
	}

	private CompletionStage<Optional<Found>> get(String path, @Nullable Watcher watcher, Set<Code> absent) {
		CompletableFuture<Optional<Found>> answer = new CompletableFuture<>();
		this.session.getData(path, watcher, (rc, asked, context, data, stat) -> {
			if (rc == Code.OK.intValue()) {
				answer.complete(Optional.of(new Found((data != null) ? data : new byte[0], stat)));
			}
			else if (absent.contains(Code.get(rc))) {
				answer.complete(Optional.empty());
			}
			else {
				answer.completeExceptionally(failure(rc, path));
			}
		}, null);
		return answer;
	}

	/**
	 * Reads the names in a folder that may have many. They are not read if they could
	 * exceed what this client accepts: it would end the connection, and all commands on
	 * it would fail.
	 */
	CompletionStage<List<String>> names(String folder) {
		CompletableFuture<Integer> count = new CompletableFuture<>();
		this.session.exists(folder, false, (rc, asked, context, stat) -> {
			switch (Code.get(rc)) {
				case OK -> count.complete(stat.getNumChildren());
				case NONODE -> count.complete(0);
				default -> count.completeExceptionally(failure(rc, folder));
			}
		}, null);
		return count.thenCompose((many) -> {
			if (many == 0) {
				return CompletableFuture.completedFuture(List.of());
			}
			return (many <= MOST_NAMES) ? children(folder, null)
					: CompletableFuture.failedFuture(new LockStoreException("",
							"There are too many locks to list them: folder " + folder + " of ZooKeeper has " + many
									+ " records, and at most " + MOST_NAMES
									+ " can be listed. Spread the locks over several roots or stores",
							null));
		});
	}

	CompletionStage<Boolean> exists(String path) {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.session.exists(path, false, (rc, asked, context, stat) -> {
			switch (Code.get(rc)) {
				case OK -> answer.complete(true);
				case NONODE -> answer.complete(false);
				default -> answer.completeExceptionally(failure(rc, path));
			}
		}, null);
		return answer;
	}

	CompletionStage<List<String>> children(String path, @Nullable Watcher watcher) {
		CompletableFuture<List<String>> answer = new CompletableFuture<>();
		this.session.getChildren(path, watcher, (rc, asked, context, children) -> {
			if (rc == Code.OK.intValue()) {
				answer.complete(List.copyOf(children));
			}
			else {
				answer.completeExceptionally(failure(rc, path));
			}
		}, null);
		return answer;
	}

	/** Executes all operations or none. A refusal is an answer, not a failure. */
	CompletionStage<Together> together(List<Op> operations) {
		CompletableFuture<Together> answer = new CompletableFuture<>();
		this.session.multi(operations, (rc, path, context, results) -> {
			if (rc == Code.OK.intValue()) {
				answer.complete(new Together.Done(List.copyOf(results)));
			}
			else if (results != null) {
				answer.complete(refused(results));
			}
			else {
				answer.completeExceptionally(failure(rc, operations.get(0).getPath()));
			}
		}, null);
		return answer;
	}

	/** Finds the refused operation. The operations after it have no result. */
	private static Together.Refused refused(List<OpResult> results) {
		for (int i = 0; i < results.size(); i++) {
			int error = (results.get(i) instanceof OpResult.ErrorResult result) ? result.getErr() : 0;
			if (error != 0) {
				return new Together.Refused(i, Code.get(error));
			}
		}
		return new Together.Refused(0, Code.SYSTEMERROR);
	}

	private static KeeperException failure(int code, String path) {
		Code known = Code.get(code);
		return KeeperException.create((known != null) ? known : Code.SYSTEMERROR, path);
	}

	/**
	 * A znode.
	 *
	 * @param data the content of the znode
	 * @param stat the metadata of the znode
	 */
	record Found(byte[] data, Stat stat) {
	}

	/** The answer to several operations. */
	sealed interface Together {

		/**
		 * Says that all operations were executed, in one transaction.
		 *
		 * @param results one for each operation
		 */
		record Done(List<OpResult> results) implements Together {
		}

		/**
		 * Says that no operation was executed.
		 *
		 * @param index the index of the refused operation
		 * @param code the reason
		 */
		record Refused(int index, Code code) implements Together {
		}

	}

}
