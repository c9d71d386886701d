package io.distlock.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.springframework.data.redis.connection.RedisConnection;

import io.distlock.redis.RedisStartupCheck;
import io.distlock.redis.client.RedisWorkers;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.spi.StoreCheckResult;

/**
 * Checks whether the nodes of a {@link RedlockStore} can keep locks. Each node must pass
 * the {@link RedisStartupCheck}. The nodes must be different masters that share nothing.
 * <p>
 * The user needs the rights of {@link RedisStartupCheck} with a quarantine. The rights
 * {@code +info} and {@code +config|get} make the check more complete.
 */
public final class RedlockStartupCheck {

	private final List<RedlockNode> nodes;

	private final RedlockSettings settings;

	private record Finding(String node, StoreCheckResult result, NodeProbe.Facts facts) {
	}

	/**
	 * Creates a check.
	 * @param nodes the nodes of the store
	 * @param settings the settings of the store
	 */
	public RedlockStartupCheck(List<RedlockNode> nodes, RedlockSettings settings) {
		this.nodes = List.copyOf(nodes);
		this.settings = settings;
	}

	/**
	 * Checks all nodes at once; blocks as long as {@link RedisStartupCheck#run()} for the
	 * slowest node, and a little longer. Nodes that do not answer, and quarantines, are
	 * warnings while a majority answers. Problems of a minority count, because absent
	 * nodes do not solve them.
	 * @return the result
	 */
	public StoreCheckResult run() {
		RedisWorkers workers = new RedisWorkers(this.nodes.size());
		try {
			List<CompletableFuture<Finding>> findings = this.nodes.stream()
				.map((node) -> CompletableFuture.supplyAsync(() -> check(node), workers))
				.toList();
			return summary(findings.stream().map(CompletableFuture::join).toList());
		}
		finally {
			workers.shutdown();
		}
	}

	private Finding check(RedlockNode node) {
		StoreCheckResult result = new RedisStartupCheck(node.connectionFactory(), this.settings.node()).run();
		// The probe runs even after a failed check, because replicas and nodes of a
		// Cluster refuse the scripts.
		try (RedisConnection connection = node.connectionFactory().getConnection()) {
			return new Finding(node.name(), result,
					new NodeProbe(connection, this.settings.quarantineOf(this.settings.names())).facts());
		}
		catch (RuntimeException ex) {
			return new Finding(node.name(), (result instanceof StoreCheckResult.Passed) ? failed(ex) : result,
					NodeProbe.Facts.NONE);
		}
	}

	private static StoreCheckResult failed(RuntimeException failure) {
		String text = RedisFailure.describe(failure);
		return RedisFailure.of(failure).passing() ? new StoreCheckResult.Unreachable(text, failure)
				: new StoreCheckResult.Problems(List.of(text));
	}

	private StoreCheckResult summary(List<Finding> findings) {
		List<String> problems = new ArrayList<>();
		List<String> warnings = new ArrayList<>();
		int answered = 0;
		for (Finding finding : findings) {
			String node = "Node " + finding.node() + ": ";
			finding.result().problems().forEach((problem) -> problems.add(node + problem));
			if (finding.result() instanceof StoreCheckResult.Unreachable unreachable) {
				warnings.add("Redlock: " + node + unreachable.message());
			}
			else {
				answered++;
			}
			finding.facts().problems().forEach((problem) -> problems.add(node + problem));
			finding.facts().warnings().forEach((warning) -> warnings.add("Redlock: " + node + warning));
		}
		problems.addAll(doubles(findings));
		boolean majority = answered > findings.size() / 2;
		if (!problems.isEmpty()) {
			return new StoreCheckResult.Problems(problems, warnings, majority);
		}
		return majority ? new StoreCheckResult.Passed(warnings)
				: new StoreCheckResult.Unreachable(String.join("; ", warnings), null);
	}

	private static List<String> doubles(List<Finding> findings) {
		Map<String, List<String>> servers = new TreeMap<>();
		for (Finding finding : findings) {
			if (!finding.facts().runId().isEmpty()) {
				servers.computeIfAbsent(finding.facts().runId(), (id) -> new ArrayList<>()).add(finding.node());
			}
		}
		return servers.values()
			.stream()
			.filter((names) -> names.size() > 1)
			.map((names) -> "Nodes " + String.join(" and ", names) + " are one and the same server, whose loss would "
					+ "count twice: list each master once")
			.toList();
	}

}
