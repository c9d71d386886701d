package io.distlock.redlock;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;

/**
 * Represents a server of a quorum. The server may execute each command twice, and a stage
 * may never complete.
 */
interface QuorumNode {

	/** Returns the name for messages. */
	String name();

	/**
	 * Starts to connect.
	 * @return a stage that completes when the node has answered for the first time
	 */
	CompletionStage<?> start(String instance);

	CompletionStage<AcquireResult> acquire(AcquireCommand command);

	/**
	 * Raises the tokens of a hold. A node that missed the renewal which reserved the
	 * tokens must not give them to the next hold.
	 * @return whether the node accepted the tokens, because the request still holds the
	 * lock there and has no higher token
	 */
	CompletionStage<Boolean> raise(String key, RequestId request, long token, int tokens);

	CompletionStage<RenewResult> renew(RenewCommand command);

	CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor);

	CompletionStage<LockSnapshot> inspect(String key);

	CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command);

	CompletionStage<LockPage> list(ListCommand command);

	void stop();

}
