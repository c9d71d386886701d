package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.distlock.redis.client.ReplicaConnection;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.ScriptArguments;

/** Checks whether enough replicas confirm a write. */
final class ReplicaProbe {

	static final String IMPOSSIBLE = "Locks in a Redis Cluster cannot wait for replicas yet. Set the number of "
			+ "replicas that must confirm to 0";

	private static final String UNKNOWN = "The client of the application cannot wait for replicas (it has no WAIT): set the "
			+ "number of replicas that must confirm to 0, or let locks connect by themselves with "
			+ "distributed-lock.redis.url";

	private static final String KEEP = "1000";

	private final ReplicaConnection.Opener opener;

	private final int required;

	private final Duration timeout;

	private final byte[] key;

	private final byte[] channel;

	ReplicaProbe(ReplicaConnection.Opener opener, RedisLockStoreSettings settings, byte[] key, byte[] channel) {
		this.opener = opener;
		this.required = settings.replicas();
		this.timeout = settings.replicaTimeout();
		this.key = key;
		this.channel = channel;
	}

	/** Returns one sentence if too few replicas confirm. */
	List<String> problems() {
		try (ReplicaConnection connection = this.opener.open(ReplicaConnection::close)) {
			// This script leaves a mark that expires, which is a write.
			connection.run(LockScript.FINISH, false,
					ScriptArguments.of(List.of(text(this.key)), List.of("probe", "1", KEEP, text(this.channel))));
			long confirmed = connection.awaitReplicas(this.required, this.timeout);
			return (confirmed >= this.required) ? List.of()
					: List.of("Only " + confirmed + " of the " + this.required
							+ " replicas that have to confirm each lock did so within " + this.timeout.toMillis()
							+ " ms: start replicas, or ask for fewer");
		}
		catch (UnsupportedOperationException ex) {
			return List.of(UNKNOWN);
		}
		catch (RuntimeException ex) {
			if (RedisFailure.of(ex) != RedisFailure.NO_PERMISSION) {
				throw ex;
			}
			return List.of("The Redis user may not run 'wait': give it +wait (" + RedisFailure.detail(ex) + ")");
		}
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

}
