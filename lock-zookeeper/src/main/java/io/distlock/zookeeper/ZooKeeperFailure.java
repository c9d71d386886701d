package io.distlock.zookeeper;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.FutureFailures;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Translates a failure of ZooKeeper into its meaning for a command. */
final class ZooKeeperFailure {

	/**
	 * Codes after which repeating the command may help. It may be unknown whether a write
	 * was executed.
	 */
	private static final Set<Code> PASSING = EnumSet.of(Code.CONNECTIONLOSS, Code.OPERATIONTIMEOUT, Code.SESSIONEXPIRED,
			Code.SESSIONMOVED, Code.NOTREADONLY, Code.NEWCONFIGNOQUORUM, Code.RECONFIGINPROGRESS, Code.THROTTLEDOP,
			Code.REQUESTTIMEOUT, Code.SYSTEMERROR, Code.RUNTIMEINCONSISTENCY, Code.NONODE);

	private ZooKeeperFailure() {
	}

	/**
	 * Returns the exception for the engine.
	 * @param failure what the client reported
	 * @param place where the locks are
	 * @param timeoutMillis how long an answer may take
	 */
	static LockStoreException of(Throwable failure, String place, long timeoutMillis) {
		Throwable cause = FutureFailures.unwrap(failure);
		if (cause instanceof LockStoreException known) {
			return known;
		}
		if (cause instanceof TimeoutException) {
			return new TransientStoreException("", place + " did not answer within " + timeoutMillis + " ms", null);
		}
		if (cause instanceof KeeperException keeper) {
			String message = place + " cannot be used: " + describe(keeper.code());
			return PASSING.contains(keeper.code()) ? new TransientStoreException("", message, keeper)
					: new LockStoreException("", message, keeper);
		}
		return new LockStoreException("", place + " cannot be used", cause);
	}

	/** Returns whether repeating a command may help. */
	static boolean isPassing(Code code) {
		return PASSING.contains(code);
	}

	/** Returns whether the session is over, or this client has closed it. */
	static boolean endsSession(Code code) {
		return code == Code.SESSIONEXPIRED || code == Code.AUTHFAILED;
	}

	/** Describes a failure and its remedy. */
	static String describe(Code code) {
		return switch (code) {
			case CONNECTIONLOSS -> "the connection was lost";
			case SESSIONEXPIRED -> "the session is over, a new one is made";
			case SESSIONMOVED -> "the session goes on at another server";
			case NOTREADONLY -> "the server has no quorum and can only be read";
			case NOAUTH -> "the user has no right to read, create, write or delete there; "
					+ "let all processes use the same user, or an ACL that includes this one";
			case INVALIDACL -> "the ACL needs a user, and this client has none; "
					+ "give the client a user by authorization or SASL, or use an open ACL";
			case AUTHFAILED -> "the user was refused; check its name and password";
			case QUOTAEXCEEDED -> "the quota of the root is used up";
			case NONODE -> "a znode of the store is missing; it is created again";
			default -> "ZooKeeper reports " + code;
		};
	}

}
