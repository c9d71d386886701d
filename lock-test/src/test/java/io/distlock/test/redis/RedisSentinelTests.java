package io.distlock.test.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("ci")
class RedisSentinelTests {

	@Test
	void startGivesMasterWithReplica() {
		try (RedisSentinel sentinel = RedisSentinel.start()) {
			sentinel.master().command("SET", "a", "1");
			await().untilAsserted(() -> assertThat(sentinel.replica().command("GET", "a")).isEqualTo("1"));
			assertThat(sentinel.replica().command("ROLE")).startsWith("slave");
		}
	}

	@Test
	void failoverMakesReplicaTheMaster() {
		try (RedisSentinel sentinel = RedisSentinel.start()) {
			RedisServer former = sentinel.master();
			sentinel.failover();
			assertThat(sentinel.master()).isNotSameAs(former);
			assertThat(sentinel.replica()).isSameAs(former);
			assertThat(sentinel.master().command("SET", "a", "1")).isEqualTo("OK");
		}
	}

	@Test
	void killedMasterIsReplacedByMajority() {
		try (RedisSentinel sentinel = RedisSentinel.builder().sentinels(3).downAfter(Duration.ofMillis(500)).start()) {
			RedisServer former = sentinel.master();
			sentinel.sentinels().get(0).kill();
			former.kill();
			sentinel.awaitOtherMasterThan(former);
			assertThat(sentinel.master().command("SET", "a", "1")).isEqualTo("OK");
		}
	}

	@Test
	void restartedSentinelRemembers() {
		try (RedisSentinel sentinel = RedisSentinel.start()) {
			sentinel.failover();
			RedisServer master = sentinel.master();
			sentinel.sentinels().get(0).restart();
			assertThat(sentinel.master()).isSameAs(master);
		}
	}

	@Test
	void closeEndsAllProcesses() {
		RedisSentinel sentinel = RedisSentinel.start();
		List<Long> pids = Stream.of(sentinel.sentinels(), List.of(sentinel.master(), sentinel.replica()))
			.flatMap(List::stream)
			.map(RedisServer::pid)
			.toList();
		assertThat(pids).hasSize(3).allMatch((pid) -> ProcessHandle.of(pid).isPresent());
		sentinel.close();
		assertThat(pids).noneMatch((pid) -> ProcessHandle.of(pid).isPresent());
	}

}
