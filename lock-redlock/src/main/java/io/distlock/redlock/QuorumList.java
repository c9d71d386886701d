package io.distlock.redlock;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;

/**
 * Lists a page of the locks that a majority of the nodes has. It lists one node after the
 * other, and inspects each lock found on all nodes. It returns each lock once, with the
 * first listed node that knows the lock. It skips nodes that do not answer as long as a
 * majority is left, because every lock of a majority is also on one of the other nodes.
 */
final class QuorumList {

	private final Quorum quorum;

	private final ListCommand command;

	private final QuorumCursor cursor;

	/**
	 * Creates a page.
	 * @param quorum the nodes
	 * @param command which locks
	 * @throws IllegalArgumentException if the text of the cursor is not a cursor
	 */
	QuorumList(Quorum quorum, ListCommand command) {
		this.quorum = quorum;
		this.command = command;
		this.cursor = QuorumCursor.parse(command.cursor());
	}

	CompletableFuture<LockPage> run() {
		List<QuorumNode> nodes = this.quorum.nodes();
		if (this.cursor.node() >= nodes.size()) {
			return CompletableFuture.completedFuture(LockPage.EMPTY);
		}
		ListCommand part = this.command.from(this.cursor.position(), this.command.most());
		return this.quorum.ask(List.of(nodes.get(this.cursor.node())), (node) -> node.list(part), (answers) -> false)
			.thenCompose((answers) -> answers.all().isEmpty() ? skip(answers.failures()) : page(answers.all().get(0)));
	}

	private CompletableFuture<LockPage> skip(List<NodeFailure> failures) {
		QuorumCursor skipping = this.cursor.skip();
		int nodes = this.quorum.nodes().size();
		boolean enough = nodes - skipping.skipped().bitCount() >= this.quorum.majority();
		if (!enough) {
			return CompletableFuture.failedFuture(this.quorum.noMajority("listing", this.command.prefix(), failures));
		}
		return CompletableFuture.completedFuture(new LockPage(List.of(), skipping.after("", nodes)));
	}

	private CompletableFuture<LockPage> page(LockPage found) {
		List<CompletableFuture<Optional<LockSnapshot>>> locks = found.locks()
			.stream()
			.map((lock) -> look(lock.key()))
			.toList();
		String next = this.cursor.after(found.next(), this.quorum.nodes().size());
		return CompletableFuture.allOf(locks.toArray(CompletableFuture<?>[]::new))
			.thenApply((all) -> new LockPage(locks.stream().flatMap((lock) -> lock.join().stream()).toList(), next));
	}

	private CompletableFuture<Optional<LockSnapshot>> look(String key) {
		return this.quorum.ask((node) -> node.inspect(key), (answers) -> false).thenApply((answers) -> {
			if (!answers.isMajority()) {
				throw this.quorum.noMajority("listing", key, answers.failures());
			}
			boolean shown = answers.any((node) -> this.cursor.listed(this.quorum.nodes().indexOf(node)),
					LockSnapshot::isUsed);
			LockSnapshot lock = MajorityView.of(key, answers.all(), this.quorum.majority());
			return (shown || !lock.isUsed()) ? Optional.empty() : Optional.of(lock);
		});
	}

}
