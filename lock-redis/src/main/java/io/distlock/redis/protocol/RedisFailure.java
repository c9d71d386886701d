package io.distlock.redis.protocol;

import java.net.UnknownHostException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.time.DateTimeException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

import javax.net.ssl.SSLException;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Classifies errors of the server and its client. A text may match anywhere in the
 * message, because servers before 7.0 wrap errors that occur inside a script.
 */
public enum RedisFailure {

	NO_SCRIPT(true, "The server does not know the script", "NOSCRIPT"),

	OTHER_ROLE(true, "The server is a replica and not the master", "READONLY", "MASTERDOWN"),

	NOT_READY(true, "The server cannot serve the command at the moment", "LOADING", "BUSY ", "TRYAGAIN", "CLUSTERDOWN",
			"MOVED ", "ASK ", "non local key", "max number of clients"),

	FOREIGN_DATA(false, "Its key holds data of another application: choose another prefix", "LKFOREIGN", "WRONGTYPE"),

	REFUSED_LOGIN(false,
			"Redis refused the login: check spring.data.redis.username and spring.data.redis.password, with Sentinel also "
					+ "spring.data.redis.sentinel.username and spring.data.redis.sentinel.password, for Redlock the addresses "
					+ "of the nodes",
			"NOAUTH", "WRONGPASS", "invalid password", "without any password configured"),

	NO_DATABASE(false, "The server has no database of this number: check spring.data.redis.database or the address",
			"DB index is out of range", "invalid DB index"),

	NO_PERMISSION(false, "The user lacks a right: docs/operations.md lists those that locks need", "NOPERM",
			"can't run this command", "ACL failure"),

	/** A renewal or release is repeated, an acquisition is not. */
	NO_WRITES(false, "The server accepts no writes: give it more memory, or repair its disk or replicas", "OOM ",
			"MISCONF", "NOREPLICAS"),

	BAD_ARGUMENT(false, "The script refused its arguments, which is an error in lock-redis", "LKARG"),

	NO_REPLICATION_ID(false, "The server does not report its replication id, which a failover delay needs", "LKREPLID"),

	PROTECTED_MODE(false, "The server accepts only clients on its own machine: give its users passwords", "DENIED "),

	OTHER_ERROR(false, "The server reported an error", "ERR ", "CROSSSLOT", "EXECABORT", "NOPROTO"),

	/** The failure may pass, for instance if a proxy that lost its server reported it. */
	UNKNOWN_ERROR(true, "The server reported an unknown error"),

	/** Passes once both sides have their new certificates, so renewals continue. */
	NOT_TRUSTED(true, "There is no secure connection to the server", "Received fatal alert"),

	/** No certificate is at fault, for instance if a server ends during the handshake. */
	NOT_SECURE(true, "There is no secure connection to the server"),

	NO_TLS(true, "The server does not speak TLS at this address: check the port, spring.data.redis.ssl.* and rediss://",
			"not an SSL/TLS record", "Unsupported or unrecognized SSL message"),

	NO_REDIS(true, "What answers at this address is not Redis: check host and port", "Invalid first byte",
			"Unknown reply: "),

	NO_PRIMARY(false,
			"The connection factory has a list of servers, of which locks do not know the primary: set "
					+ "distributed-lock.redis.url to the address of the primary",
			"RedisURI is not available"),

	UNKNOWN_HOST(true, "The host name of the server is not known: check it, and the name service"),

	NOT_CONNECTED(true, "The server accepts no connections at this address", "Connection refused",
			"Failed to connect to"),

	NO_ANSWER(true, "The server did not answer");

	private static final Set<RedisFailure> WITHOUT_ANSWER = EnumSet.of(NOT_TRUSTED, NOT_SECURE, NO_TLS, NO_REDIS,
			NO_PRIMARY, UNKNOWN_HOST, NOT_CONNECTED, NO_ANSWER);

	/**
	 * Exceptions for errors that a server sent; their classes may be missing on the class
	 * path.
	 */
	private static final Set<String> REPLIES = Set.of("io.lettuce.core.RedisCommandExecutionException",
			"redis.clients.jedis.exceptions.JedisDataException");

	/** The last one is Lettuce's if the connection ends before its handshake begins. */
	private static final List<String> ENDS = List.of("Connection reset", "Connection closed prematurely",
			"Unexpected end of stream", "RedisHandshakeHandler not registered");

	private final boolean passing;

	private final String sentence;

	private final List<String> texts;

	RedisFailure(boolean passing, String sentence, String... texts) {
		this.passing = passing;
		this.sentence = sentence;
		this.texts = List.of(texts);
	}

	/**
	 * Returns whether the same command may succeed later.
	 * @return whether the failure may pass
	 */
	public boolean passing() {
		return this.passing;
	}

	/**
	 * Returns whether the server reported the failure.
	 * @return {@code false} if there was no answer
	 */
	public boolean isAnswer() {
		return !WITHOUT_ANSWER.contains(this);
	}

	/**
	 * Classifies an error.
	 * @param error what the client threw
	 * @return the kind of failure; {@link #NO_ANSWER} if nothing better is known
	 */
	public static RedisFailure of(Throwable error) {
		RedisFailure without = NO_ANSWER;
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			RedisFailure failure = of(cause.getMessage());
			boolean reply = isReply(cause.getClass());
			if (failure != NO_ANSWER && (failure.isAnswer() || !reply)) {
				return failure;
			}
			if (cause instanceof UnknownHostException) {
				return UNKNOWN_HOST;
			}
			if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
				return NOT_TRUSTED;
			}
			if (cause instanceof SSLException) {
				without = NOT_SECURE;
			}
			else if (reply) {
				without = UNKNOWN_ERROR;
			}
		}
		return without;
	}

	/**
	 * Returns whether the server ended the connection instead of an answer.
	 * @param error what the client threw
	 * @return whether a cause says so
	 */
	public static boolean isEndOfConnection(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			String message = cause.getMessage();
			if (message != null && ENDS.stream().anyMatch(message::contains)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isReply(Class<?> type) {
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			if (REPLIES.contains(each.getName())) {
				return true;
			}
		}
		return false;
	}

	static LockStoreException translate(LockScript script, String key, String server, Throwable error) {
		Throwable root = FutureFailures.unwrap(error);
		if (root instanceof LockStoreException known) {
			return known;
		}
		RedisFailure failure = of(root);
		boolean maintenance = script != LockScript.ACQUIRE && script != LockScript.INSPECT;
		String message = failure.sentence + about(script, key, server) + detail(root);
		if (failure == UNKNOWN_ERROR || failure == NOT_TRUSTED) {
			return new TransientRefusalException(key, message, root);
		}
		return (failure.passing || (maintenance && failure == NO_WRITES))
				? new TransientStoreException(key, message, root) : new LockStoreException(key, message, root);
	}

	/**
	 * Creates the failure for a reply that no script sends. The failure may pass, because
	 * a proxy may have sent the reply.
	 */
	static LockStoreException unreadable(LockScript script, String key, String server, RuntimeException error) {
		return new TransientRefusalException(key, "The server sent a reply that is none of a script"
				+ about(script, key, server) + ForeignText.messageOf(error), error);
	}

	private static String about(LockScript script, String key, String server) {
		return " (" + script.name().toLowerCase(Locale.ROOT) + " of lock '" + KeyText.of(key) + "' on " + server
				+ "): ";
	}

	/**
	 * Reads a reply that contains parts of the key's value.
	 * @param key the lock
	 * @param reader reads the reply
	 * @return the value
	 * @throws LockStoreException if the value was not written by a script
	 */
	static <T> T whenReading(String key, Supplier<T> reader) {
		try {
			return reader.get();
		}
		catch (IllegalArgumentException | ArithmeticException | DateTimeException | IndexOutOfBoundsException ex) {
			throw new LockStoreException(key, FOREIGN_DATA.sentence + " (reply about lock '" + KeyText.of(key) + "'): "
					+ ForeignText.messageOf(ex), ex);
		}
	}

	private static RedisFailure of(@Nullable String message) {
		if (message != null) {
			for (RedisFailure failure : values()) {
				if (failure.texts.stream().anyMatch(message::contains)) {
					return failure;
				}
			}
		}
		return NO_ANSWER;
	}

	/**
	 * Describes an error by its kind and the message of the server or client.
	 * @param error what the client threw
	 * @return a sentence
	 */
	public static String describe(Throwable error) {
		return of(error).sentence + ": " + detail(error);
	}

	/**
	 * Returns the innermost useful message. Outer messages come from wrappers of the
	 * client; below an unknown host name there is only a code.
	 * @param error what the client threw
	 * @return the message
	 */
	public static String detail(Throwable error) {
		Throwable innermost = error;
		while (innermost.getCause() != null && !(innermost instanceof UnknownHostException)) {
			innermost = innermost.getCause();
		}
		return ForeignText.messageOf(innermost);
	}

}
