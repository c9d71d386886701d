package io.distlock.redis.protocol;

import java.util.concurrent.CompletionException;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
			NO_REPLICATION_ID | LKREPLID no master_replid in INFO replication
			NO_ANSWER     | Connection refused
			""")
	void ofFollowsMessage(RedisFailure failure, String message) {
		assertThat(RedisFailure.of(new RuntimeException("wrapped", new RuntimeException(message)))).isEqualTo(failure);
	}

	@Test
	void ofWhenNoMessageThenNoAnswer() {
		assertThat(RedisFailure.of(new RuntimeException())).isEqualTo(RedisFailure.NO_ANSWER);
	}

	@Test
	void translateNamesLockServerAndKeepsCause() {
		RuntimeException cause = new RuntimeException("Connection refused");
		LockStoreException translated = RedisFailure.translate(LockScript.ACQUIRE, "stock:1", "Redis at host:1",
				new CompletionException(cause));
		assertThat(translated).isInstanceOf(TransientStoreException.class)
			.hasMessage("The server did not answer (acquire of lock 'stock:1' on Redis at host:1): Connection refused")
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
