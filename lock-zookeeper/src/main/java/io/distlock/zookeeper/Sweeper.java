package io.distlock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockStoreException;
import io.distlock.records.RecordIncarnations;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;
import org.apache.zookeeper.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes a record if all its processes have ended, or if the lock is free and only its
 * high token has kept the record. One process of the fleet sweeps. It reads one record
 * after the other.
 */
final class Sweeper {

	private static final Logger logger = LoggerFactory.getLogger(Sweeper.class);

	private final ProcessSession session;

	private final LiveProcesses processes;

	private final Znodes znodes;

	Sweeper(ProcessSession session, LiveProcesses processes, Znodes znodes) {
		this.session = session;
		this.processes = processes;
		this.znodes = znodes;
	}

	/**
	 * Sweeps once, and logs how it ends.
	 * @param address of the server
	 */
	CompletionStage<Integer> run(String address) {
		return sweep().whenComplete((deleted, failure) -> {
			if (failure != null) {
				logger.warn(
						"Records that dead processes have left under {} in ZooKeeper at {} were not deleted, which "
								+ "is tried again within 15 minutes: {}",
						this.znodes.locks(), address, ForeignText.messageOf(FutureFailures.unwrap(failure)));
			}
			else if (deleted > 0) {
				logger.debug("Deleted {} records of locks that dead processes have left", deleted);
			}
		});
	}

	/** Sweeps once, if this process is the one that sweeps. */
	CompletionStage<Integer> sweep() {
		if (!this.processes.isFirst(this.session.name())) {
			return CompletableFuture.completedFuture(0);
		}
		CompletionStage<Integer> swept = CompletableFuture.completedFuture(0);
		for (String folder : this.znodes.spread()) {
			swept = swept.thenCompose((deleted) -> this.session.calls()
				.names(folder)
				.thenCompose((names) -> sweep(folder, names, 0, deleted)));
		}
		return swept;
	}

	private CompletionStage<Integer> sweep(String folder, List<String> names, int from, int deleted) {
		int sum = deleted;
		for (int i = from; i < names.size() && !this.session.isOver(); i++) {
			CompletableFuture<Boolean> one = sweep(folder + "/" + names.get(i)).toCompletableFuture();
			int next = i + 1;
			int before = sum;
			if (!one.isDone()) {
				return one.thenCompose((done) -> sweep(folder, names, next, before + (done ? 1 : 0)));
			}
			sum += one.join() ? 1 : 0;
		}
		return CompletableFuture.completedFuture(sum);
	}

	private CompletionStage<Boolean> sweep(String path) {
		return this.session.calls().getIfAllowed(path).thenCompose((found) -> {
			if (found.isEmpty()) {
				return CompletableFuture.completedFuture(false);
			}
			RecordNode node;
			Set<String> incarnations;
			try {
				node = RecordNode.of(found.get().data());
				incarnations = RecordIncarnations.in(node.text());
			}
			catch (IllegalArgumentException | LockStoreException ex) {
				// The record has a newer version, or is not a record of this library.
				return CompletableFuture.completedFuture(false);
			}
			return this.processes.check(incarnations)
				.thenCompose((checked) -> isForgotten(node, incarnations)
						? delete(path, node, found.get().stat().getVersion())
						: CompletableFuture.completedFuture(false));
		});
	}

	private boolean isForgotten(RecordNode node, Set<String> incarnations) {
		boolean overByTime = node.until() < this.session.now();
		return this.session.isPassed(node.highest())
				&& (node.idle() || (overByTime && incarnations.stream().allMatch(this.processes::isGone)));
	}

	private CompletionStage<Boolean> delete(String path, RecordNode node, int version) {
		List<Op> operations = new ArrayList<>();
		operations.add(Op.delete(path + "/" + node.identity(), -1));
		operations.add(Op.delete(path, version));
		return this.session.write(operations).thenApply((answer) -> answer instanceof Calls.Together.Done);
	}

}
