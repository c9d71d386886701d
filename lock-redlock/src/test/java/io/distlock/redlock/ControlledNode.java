package io.distlock.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.Grant;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/** A node that remembers what it was asked, and answers when and what the test says. */
final class ControlledNode implements QuorumNode {

	final List<Call<AcquireCommand, AcquireResult>> acquires = new ArrayList<>();

	final List<Call<Long, Boolean>> raises = new ArrayList<>();

	/** How many tokens those raised had. */
	final List<Integer> blocks = new ArrayList<>();

	final List<Call<RenewCommand, RenewResult>> renewals = new ArrayList<>();

	final List<Call<RequestId, FinishResult>> finishes = new ArrayList<>();

	/** When the node answers for the first time. */
	CompletableFuture<?> firstAnswer = CompletableFuture.completedFuture(true);

	boolean unfit;

	/** Throws an error when something is to be ended. */
	boolean broken;

	boolean running;

	private final String name;

	/**
	 * A command, and its answer to be.
	 *
	 * @param <C> what was asked
	 * @param <A> what is answered
	 */
	record Call<C, A>(C command, CompletableFuture<A> answer) {

		private static <C, A> Call<C, A> of(C command) {
			return new Call<>(command, new CompletableFuture<>());
		}

	}

	ControlledNode(String name) {
		this.name = name;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public CompletionStage<?> start(String instance) {
		if (this.unfit) {
			throw new LockStoreException("", "not this one", null);
		}
		this.running = true;
		return this.firstAnswer;
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return added(this.acquires, command);
	}

	@Override
	public CompletionStage<Boolean> raise(String key, RequestId request, long token, int tokens) {
		this.blocks.add(tokens);
		return added(this.raises, token);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return added(this.renewals, command);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		if (this.broken) {
			throw new NoClassDefFoundError("not there");
		}
		return added(this.finishes, request);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return new CompletableFuture<>();
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return new CompletableFuture<>();
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return new CompletableFuture<>();
	}

	@Override
	public void stop() {
		this.running = false;
	}

	private static <C, A> CompletableFuture<A> added(List<Call<C, A>> calls, C command) {
		Call<C, A> call = Call.of(command);
		calls.add(call);
		return call.answer();
	}

	private static <C, A> Call<C, A> last(List<Call<C, A>> calls) {
		return calls.get(calls.size() - 1);
	}

	void grant(long token) {
		Call<AcquireCommand, AcquireResult> call = last(this.acquires);
		call.answer().complete(new AcquireResult.Granted(held(token, call.command().tokens()), 0));
	}

	void refuse() {
		refuse(null);
	}

	void refuse(@Nullable Holder holder) {
		last(this.acquires).answer().complete(new AcquireResult.Busy(holder));
	}

	void fail(String message) {
		last(this.acquires).answer().completeExceptionally(new TransientStoreException("", message, null));
	}

	void accept(boolean accepted) {
		last(this.raises).answer().complete(accepted);
	}

	void renew(long token, int tokens) {
		last(this.renewals).answer().complete(new RenewResult.Renewed(held(token, tokens), 0));
	}

	void forget() {
		last(this.renewals).answer().complete(new RenewResult.Gone(false));
	}

	void finish(FinishResult result) {
		last(this.finishes).answer().complete(result);
	}

	private static Grant held(long token, int tokens) {
		return new Grant(token, tokens, 20_000, 0);
	}

}
