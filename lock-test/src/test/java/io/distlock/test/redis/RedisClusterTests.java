package io.distlock.test.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("ci")
class RedisClusterTests {

	@Test
	void slotsAreSharedByMastersAndMove() {
		try (RedisCluster cluster = RedisCluster.start()) {
			Set<RedisServer> masters = IntStream.range(0, 50)
				.mapToObj((i) -> cluster.masterOf("key" + i))
				.collect(Collectors.toSet());
			assertThat(masters).containsExactlyInAnyOrderElementsOf(cluster.nodes());
			RedisServer source = cluster.masterOf("a");
			RedisServer target = cluster.nodes().stream().filter((node) -> node != source).findFirst().orElseThrow();
			source.command("SET", "a", "1");
			cluster.move(cluster.slot("a"), target);
			assertThat(cluster.masterOf("a")).isSameAs(target);
			assertThat(target.command("GET", "a")).isEqualTo("1");
			assertThatIllegalStateException().isThrownBy(() -> source.command("GET", "a"))
				.withMessageContaining("MOVED");
		}
	}

	@Test
	void replicaReplacesKilledMaster() {
		try (RedisCluster cluster = RedisCluster.builder().replicas(1).nodeTimeout(Duration.ofSeconds(1)).start()) {
			assertThat(cluster.nodes()).hasSize(6);
			RedisServer former = cluster.masterOf("a");
			former.kill();
			cluster.awaitOtherMasterThan(former, "a");
			assertThat(cluster.masterOf("a").command("SET", "a", "1")).isEqualTo("OK");
		}
	}

	@Test
	void closeEndsAllProcesses() {
		RedisCluster cluster = RedisCluster.start();
		List<Long> pids = cluster.nodes().stream().map(RedisServer::pid).toList();
		cluster.close();
		assertThat(pids).hasSize(3).noneMatch((pid) -> ProcessHandle.of(pid).isPresent());
	}

}
