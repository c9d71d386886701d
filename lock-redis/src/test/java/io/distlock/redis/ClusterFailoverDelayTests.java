package io.distlock.redis;

import java.util.UUID;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** As {@link FailoverDelayTests}, where only one of several masters changes. */
@Tag("ci")
class ClusterFailoverDelayTests {

	private static RedisCluster cluster;

	@BeforeAll
	static void start() {
		cluster = RedisCluster.builder().unprotected().start();
	}

	@AfterAll
	static void stop() {
		cluster.close();
	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenOneMasterOfAClusterChangedThenOnlyItsLocksAreDelayed(Client client) {
		RedisConnectionFactory connections = client.connect(cluster);
		try (CloseableLockTemplate template = FailoverDelayTests.template(connections, FailoverDelayTests.DELAY)) {
			RedisServer first = cluster.nodes().get(0);
			RedisServer second = cluster.nodes().get(1);
			String changed = key(first);
			String other = key(second);
			TemplatesUnderTest.awaitWorking(template, changed);
			TemplatesUnderTest.awaitWorking(template, other);
			first.command("DEBUG", "CHANGE-REPL-ID");
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> template.acquire(LockRequest.of(changed)))
				.withCauseInstanceOf(QuarantineException.class);
			template.acquire(LockRequest.of(other)).close();
			FailoverDelayTests.acquireAsSoonAsPossible(template, changed).close();
		}
		finally {
			Client.close(connections);
		}
	}

	private static String key(RedisServer master) {
		String key = "stock:" + UUID.randomUUID();
		while (cluster.masterOf(cluster.slot("lk:" + key)) != master) {
			key = "stock:" + UUID.randomUUID();
		}
		return key;
	}

}
