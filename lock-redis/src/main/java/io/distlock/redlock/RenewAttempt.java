package io.distlock.redlock;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.distlock.LockStoreException;
import io.distlock.redlock.QuorumRequest.Win;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import org.jspecify.annotations.Nullable;

/**
 * One renewal of a hold, which counts if a majority extended it in time. A node that lost
 * the hold does not get it back. More tokens are handed out only after a majority has
 * accepted them, as with an acquisition.
 */
final class RenewAttempt {

	private final Quorum quorum;

	private final RenewCommand command;

	private final long begunAt;

	/**
	 * Prepares a renewal.
	 * @param quorum who decides
	 * @param command what to renew
	 * @param begunAt from when on the lease counts
	 */
	RenewAttempt(Quorum quorum, RenewCommand command, long begunAt) {
		this.quorum = quorum;
		this.command = command;
		this.begunAt = begunAt;
	}

	/**
	 * Asks the nodes; fails if no majority agrees either way.
	 * @param held what is held
	 * @return what is held from now on, or {@code null} if nothing
	 */
	CompletableFuture<@Nullable Win> run(Win held) {
		RenewCommand forNodes = new RenewCommand(this.command.key(), held.attempt(), this.command.lease(),
				this.command.tokens(), this.command.last());
		return this.quorum.ask((node) -> node.renew(forNodes), RenewAttempt::decided).thenCompose((tally) -> {
			List<RenewResult.Renewed> renewed = tally.answers(RenewResult.Renewed.class);
			if (tally.isMajority(gone(tally))) {
				return CompletableFuture.completedFuture(null);
			}
			if (!tally.isMajority(renewed.size())) {
				throw noMajority(tally.failures());
			}
			Win win = held.renewed(this.begunAt, this.command.lease());
			return ((this.command.tokens() > 0) ? withMoreTokens(win, renewed) : CompletableFuture.completedFuture(win))
				.thenApply(this::ifInTime);
		});
	}

	private static boolean decided(Tally<RenewResult> tally) {
		int renewed = tally.answers(RenewResult.Renewed.class).size();
		return tally.isMajority(renewed) || tally.isMajority(gone(tally))
				|| (!tally.mayBeMajority(renewed) && !tally.mayBeMajority(gone(tally)));
	}

	private static int gone(Tally<RenewResult> tally) {
		return tally.answers(RenewResult.Gone.class).size();
	}

	/** If a majority does not accept them the hold goes on with those that it has. */
	private CompletableFuture<Win> withMoreTokens(Win win, List<RenewResult.Renewed> renewed) {
		long token = renewed.stream().mapToLong((each) -> each.grant().fencingToken()).max().orElseThrow();
		return this.quorum
			.ask((node) -> node.raise(this.command.key(), win.attempt(), token, this.command.tokens()), Raise::decided)
			.thenApply((raised) -> Raise.accepted(raised) ? win.withTokens(token, this.command.tokens()) : win);
	}

	private Win ifInTime(Win win) {
		if (Validity.over(this.begunAt, this.command.lease(), this.quorum.timer().nanoTime())) {
			throw noMajority(List.of());
		}
		return win;
	}

	private LockStoreException noMajority(List<NodeFailure> failures) {
		return QuorumException.noMajority("renewing", this.command.key(), this.quorum.nodes().size(), failures);
	}

}
