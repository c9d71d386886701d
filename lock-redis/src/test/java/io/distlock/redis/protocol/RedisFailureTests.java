package io.distlock.redis.protocol;

import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import javax.net.ssl.SSLHandshakeException;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;
import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;

import static org.assertj.core.api.Assertions.assertThat;

class RedisFailureTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			NO_SCRIPT     | NOSCRIPT No matching script. Please use EVAL.
			OTHER_ROLE    | READONLY You can't write against a read only replica.
			OTHER_ROLE    | ERR Error running script (call to f_1): @user_script:9: -READONLY You can't write
			NOT_READY     | LOADING Redis is loading the dataset in memory
			NOT_READY     | BUSY Redis is busy running a script. You can only call SCRIPT KILL
			NOT_READY     | TRYAGAIN Multiple keys request during rehashing of slot
			NOT_READY     | CLUSTERDOWN The cluster is down
			NOT_READY     | ERR Script attempted to access a non local key in a cluster node
			FOREIGN_DATA  | WRONGTYPE Operation against a key holding the wrong kind of value
			FOREIGN_DATA  | LKFOREIGN key holds other data
			NO_PERMISSION | NOPERM this user has no permissions to run the 'hset' command
			NO_PERMISSION | ERR The user executing the script can't run this command or subcommand
			REFUSED_LOGIN | NOAUTH Authentication required.
			REFUSED_LOGIN | WRONGPASS invalid username-password pair or user is disabled.
			REFUSED_LOGIN | ERR AUTH <password> called without any password configured for the default user.
			NO_WRITES     | OOM command not allowed when used memory > 'maxmemory'.
			NO_WRITES     | MISCONF Redis is configured to save RDB snapshots, but it is unable to persist
			BAD_ARGUMENT  | LKARG bad argument
			OTHER_ERROR   | ERR unknown command
			OTHER_ERROR   | NOPROTO unsupported protocol version
			PROTECTED_MODE | DENIED Redis is running in protected mode because protected mode is enabled
			NOT_TRUSTED   | Received fatal alert: bad_certificate
			NO_REPLICATION_ID | LKREPLID no master_replid in INFO replication
			NO_DATABASE   | ERR DB index is out of range
			NO_TLS        | not an SSL/TLS record: 485454502f312e31
			NO_TLS        | Unsupported or unrecognized SSL message
			NO_REDIS      | Invalid first byte: 72 (H) at buffer index 1 decoding using null
			NO_REDIS      | Unknown reply: H
			NOT_CONNECTED | Connection refused
			NOT_CONNECTED | Failed to connect to localhost:6379.
			NO_ANSWER     | Read timed out
			""")
	void ofFollowsMessage(RedisFailure failure, String message) {
		assertThat(RedisFailure.of(new RuntimeException("wrapped", new RuntimeException(message)))).isEqualTo(failure);
	}

	@Test
	void ofWhenNoMessageThenNoAnswer() {
		assertThat(RedisFailure.of(new RuntimeException())).isEqualTo(RedisFailure.NO_ANSWER);
	}

	static Stream<RuntimeException> repliesOfNoKnownText() {
		return Stream.of(new RedisCommandExecutionException("upstream failure"),
				new RuntimeException("wrapped", new RedisCommandExecutionException("-upstream failure")),
				new JedisDataException("no upstream host"), new JedisDataException("upstream: Connection refused"),
				new JedisAccessControlException("unheard of"));
	}

	@ParameterizedTest
	@MethodSource("repliesOfNoKnownText")
	void ofWhenServerSentUnknownTextThenRepeatedButNotAway(RuntimeException reply) {
		assertThat(RedisFailure.of(reply)).isEqualTo(RedisFailure.UNKNOWN_ERROR);
		assertThat(RedisFailure.UNKNOWN_ERROR.isAnswer()).isTrue();
		assertThat(RedisFailure.translate(LockScript.ACQUIRE, "k", "Redis", reply))
			.isInstanceOf(TransientRefusalException.class);
	}

	@ParameterizedTest
	@EnumSource(names = { "NO_TLS", "NO_REDIS", "UNKNOWN_HOST", "NOT_CONNECTED" })
	void withoutAConnectionTheServerIsAway(RedisFailure failure) {
		assertThat(failure.isAnswer()).isFalse();
		assertThat(failure.passing()).isTrue();
	}

	@Test
	void describeWhenHostIsUnknownThenNamesIt() {
		Exception unknown = new UnknownHostException("Failed to resolve 'redis.internl' [A(1), AAAA(28)]");
		unknown.initCause(new IllegalStateException("Query failed with NXDOMAIN"));
		assertThat(RedisFailure.describe(new RuntimeException("Unable to connect", unknown)))
			.isEqualTo("The host name of the server is not known: check it, and the name service: Failed to resolve "
					+ "'redis.internl' [A(1), AAAA(28)]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Connection reset by peer", "Connection closed prematurely", "Unexpected end of stream.",
			"RedisHandshakeHandler not registered" })
	void isEndOfConnectionWhenAClientSaysSoThenTrue(String message) {
		assertThat(RedisFailure
			.isEndOfConnection(new RuntimeException("Unable to connect", new IllegalStateException(message)))).isTrue();
	}

	@Test
	void describeWhenServerIsAReplicaThenDoesNotSayThatItWasTheMaster() {
		assertThat(RedisFailure.describe(new RuntimeException("READONLY You can't write against a read only replica")))
			.startsWith("The server is a replica and not the master: READONLY");
	}

	@Test
	void ofWhenCertificateIsNotTrustedThenRepeatedButNotAway() {
		Exception handshake = new SSLHandshakeException("PKIX path building failed");
		handshake.initCause(new CertificateException("No name matching redis found"));
		RuntimeException failure = new RuntimeException("Unable to connect", handshake);
		assertThat(RedisFailure.of(failure)).isEqualTo(RedisFailure.NOT_TRUSTED);
		assertThat(RedisFailure.NOT_TRUSTED.isAnswer()).isFalse();
		assertThat(RedisFailure.translate(LockScript.RENEW, "k", "Redis", failure))
			.isInstanceOf(TransientRefusalException.class);
	}

	@Test
	void ofWhenServerEndsDuringHandshakeThenAway() {
		RuntimeException failure = new RuntimeException(new SSLHandshakeException("Remote host terminated"));
		assertThat(RedisFailure.of(failure)).isEqualTo(RedisFailure.NOT_SECURE);
		assertThat(RedisFailure.translate(LockScript.ACQUIRE, "k", "Redis", failure))
			.isExactlyInstanceOf(TransientStoreException.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "DENIED Redis is running in protected mode", "NOPROTO unsupported protocol version" })
	void translateWhenRefusedForGoodThenNotWorthRepeating(String reply) {
		assertThat(RedisFailure.translate(LockScript.ACQUIRE, "k", "Redis", new RedisCommandExecutionException(reply)))
			.isNotInstanceOf(TransientStoreException.class);
	}

	@Test
	void translateNamesLockServerAndKeepsCause() {
		RuntimeException cause = new RuntimeException("Connection refused");
		LockStoreException translated = RedisFailure.translate(LockScript.ACQUIRE, "stock:1", "Redis at host:1",
				new CompletionException(cause));
		assertThat(translated).isInstanceOf(TransientStoreException.class)
			.hasMessage(
					"The server accepts no connections at this address (acquire of lock 'stock:1' on Redis at host:1): "
							+ "Connection refused")
			.hasCause(cause);
	}

	@Test
	void translateWhenMemoryIsFullThenOnlyMaintenanceIsWorthRepeating() {
		RuntimeException full = new RuntimeException("OOM command not allowed");
		assertThat(RedisFailure.translate(LockScript.ACQUIRE, "k", "Redis", full))
			.isNotInstanceOf(TransientStoreException.class);
		assertThat(RedisFailure.translate(LockScript.RENEW, "k", "Redis", full))
			.isInstanceOf(TransientStoreException.class);
	}

}
