package io.distlock.redlock;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.distlock.LockStoreException;
import io.distlock.redlock.QuorumRequest.Win;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;

/**
 * Runs one renewal of a hold, which counts if a majority extended the lease in time. A
 * node that lost the hold does not get it back. As with an acquisition, the hold uses
 * more tokens only after a majority has accepted them.
 */
final class RenewAttempt {

	private final Quorum quorum;

	private final RenewCommand command;

	private final long begunAt;

	/**
	 * Prepares a renewal.
	 * @param quorum the nodes
	 * @param command the renewal
	 * @param begunAt when the lease begins
	 */
	RenewAttempt(Quorum quorum, RenewCommand command, long begunAt) {
		this.quorum = quorum;
		this.command = command;
		this.begunAt = begunAt;
	}

	/**
	 * Asks the nodes; fails if neither outcome gets a majority.
	 * @param held the hold so far
	 * @return the hold from now on, or that it is lost
	 */
	CompletableFuture<Outcome> run(Win held) {
		RenewCommand forNodes = new RenewCommand(this.command.key(), held.attempt(), this.command.lease(),
				this.command.tokens());
		return this.quorum.ask((node) -> node.renew(forNodes), RenewAttempt::decided).thenCompose((answers) -> {
			if (answers.isMajority(gone(answers))) {
				return CompletableFuture.completedFuture(new Outcome.Lost(isForced(answers)));
			}
			List<RenewResult.Renewed> renewed = answers.all(RenewResult.Renewed.class);
			if (!answers.isMajority(renewed.size())) {
				throw noMajority(answers.failures());
			}
			Win win = held.renewed(this.begunAt, this.command.lease());
			return ((this.command.tokens() > 0) ? withMoreTokens(win, renewed) : CompletableFuture.completedFuture(win))
				.thenApply(this::ifInTime);
		});
	}

	private static boolean decided(QuorumAnswers<RenewResult> answers) {
		int renewed = answers.all(RenewResult.Renewed.class).size();
		return answers.isMajority(renewed) || answers.isMajority(gone(answers))
				|| (!answers.mayBecomeMajority(renewed) && !answers.mayBecomeMajority(gone(answers)));
	}

	private static int gone(QuorumAnswers<RenewResult> answers) {
		return answers.all(RenewResult.Gone.class).size();
	}

	/** Keeps the tokens of the hold if no majority accepts more. */
	private CompletableFuture<Win> withMoreTokens(Win win, List<RenewResult.Renewed> renewed) {
		long token = renewed.stream().mapToLong((each) -> each.grant().fencingToken()).max().orElseThrow();
		return new TokenRaise(this.command.key(), win.attempt(), token, this.command.tokens())
			.run(this.quorum, this.quorum.nodes())
			.thenApply((raised) -> raised.accepted() ? win.withTokens(token, this.command.tokens()) : win);
	}

	private static boolean isForced(QuorumAnswers<RenewResult> answers) {
		return answers.all(RenewResult.Gone.class).stream().anyMatch(RenewResult.Gone::forced);
	}

	private Outcome ifInTime(Win win) {
		if (Validity.isOver(this.begunAt, this.command.lease(), this.quorum.timer().nanoTime())) {
			throw noMajority(List.of());
		}
		return new Outcome.Renewed(win);
	}

	/** How a renewal ended. */
	sealed interface Outcome {

		/**
		 * The hold continues.
		 *
		 * @param win the hold from now on
		 */
		record Renewed(Win win) implements Outcome {
		}

		/**
		 * A majority does not know the hold.
		 *
		 * @param forced whether a node says that it was released by force
		 */
		record Lost(boolean forced) implements Outcome {
		}

	}

	private LockStoreException noMajority(List<NodeFailure> failures) {
		return this.quorum.noMajority("renewing", this.command.key(), failures);
	}

}
