package io.distlock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockStoreException;
import io.distlock.records.RecordLives;
import org.apache.zookeeper.Op;

/**
 * Deletes records of processes that have all ended, and free records kept only for their
 * high token. One process of the fleet sweeps, and it reads one record after the other.
 */
final class Sweeper {

	private final Life life;

	private final LiveProcesses processes;

	private final Znodes znodes;

	Sweeper(Life life, LiveProcesses processes, Znodes znodes) {
		this.life = life;
		this.processes = processes;
		this.znodes = znodes;
	}

	/** Sweeps once, if it is up to this process. */
	CompletionStage<Integer> sweep() {
		if (!this.processes.isFirst(this.life.name())) {
			return CompletableFuture.completedFuture(0);
		}
		return this.life.calls().children(this.znodes.locks(), null).thenCompose((names) -> sweep(names, 0, 0));
	}

	private CompletionStage<Integer> sweep(List<String> names, int from, int deleted) {
		int sum = deleted;
		for (int i = from; i < names.size() && !this.life.isOver(); i++) {
			CompletableFuture<Boolean> one = sweep(this.znodes.locks() + "/" + names.get(i)).toCompletableFuture();
			int next = i + 1;
			int before = sum;
			if (!one.isDone()) {
				return one.thenCompose((done) -> sweep(names, next, before + (done ? 1 : 0)));
			}
			sum += one.join() ? 1 : 0;
		}
		return CompletableFuture.completedFuture(sum);
	}

	private CompletionStage<Boolean> sweep(String path) {
		return this.life.calls().getIfAllowed(path).thenCompose((found) -> {
			if (found.isEmpty()) {
				return CompletableFuture.completedFuture(false);
			}
			RecordNode node;
			Set<String> lives;
			try {
				node = RecordNode.of(found.get().data());
				lives = RecordLives.in(node.text());
			}
			catch (IllegalArgumentException | LockStoreException ex) {
				// Of a newer version, or not ours.
				return CompletableFuture.completedFuture(false);
			}
			return this.processes.check(lives)
				.thenCompose((checked) -> isForgotten(node, lives) ? delete(path, node, found.get().stat().getVersion())
						: CompletableFuture.completedFuture(false));
		});
	}

	private boolean isForgotten(RecordNode node, Set<String> lives) {
		boolean overByTime = node.until() < this.life.now();
		return this.life.isPassed(node.highest())
				&& (node.idle() || (overByTime && lives.stream().allMatch(this.processes::isGone)));
	}

	private CompletionStage<Boolean> delete(String path, RecordNode node, int version) {
		List<Op> operations = new ArrayList<>();
		operations.add(Op.delete(path + "/" + node.life(), -1));
		operations.add(Op.delete(path, version));
		return this.life.write(operations).thenApply((answer) -> answer instanceof Calls.Together.Done);
	}

}
