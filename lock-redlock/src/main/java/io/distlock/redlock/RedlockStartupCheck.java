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

	/**
	 * Result of the check.
	 *
	 * @param problems one sentence for each reason why acquisitions fail or locks may get
	 * lost, including what to do
	 * @param warnings one sentence for each temporary problem: unreachable nodes and
	 * quarantines
	 * @param majority whether a majority of the nodes answered; without a majority, no
	 * lock can be granted
	 */
	public record Result(List<String> problems, List<String> warnings, boolean majority) {

		/**
		 * Copies the lists.
		 * @param problems the problems
		 * @param warnings the warnings
		 * @param majority whether a majority of the nodes answered
		 */
		public Result {
			problems = List.copyOf(problems);
			warnings = List.copyOf(warnings);
		}

	}

	private record Finding(String node, RedisStartupCheck.Result result, NodeProbe.Facts facts) {
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
	 * slowest node, and a little longer.
	 * @return the result
	 */
	public Result run() {
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
		RedisStartupCheck.Result result = new RedisStartupCheck(node.connectionFactory(), this.settings.node()).run();
		// The probe runs even after a failed check, because replicas and nodes of a
		// Cluster refuse the scripts.
		try (RedisConnection connection = node.connectionFactory().getConnection()) {
			return new Finding(node.name(), result,
					new NodeProbe(connection, this.settings.quarantineOf(this.settings.names())).facts());
		}
		catch (RuntimeException ex) {
			return new Finding(node.name(), (result instanceof RedisStartupCheck.Result.Passed) ? failed(ex) : result,
					NodeProbe.Facts.NONE);
		}
	}

	private static RedisStartupCheck.Result failed(RuntimeException failure) {
		String text = RedisFailure.describe(failure);
		return RedisFailure.of(failure).passing() ? new RedisStartupCheck.Result.Unreachable(text, failure)
				: new RedisStartupCheck.Result.Problems(List.of(text));
	}

	private Result summary(List<Finding> findings) {
		List<String> problems = new ArrayList<>();
		List<String> warnings = new ArrayList<>();
		int answered = 0;
		for (Finding finding : findings) {
			String node = "Node " + finding.node() + ": ";
			if (finding.result() instanceof RedisStartupCheck.Result.Problems found) {
				found.problems().forEach((problem) -> problems.add(node + problem));
			}
			else if (finding.result() instanceof RedisStartupCheck.Result.Refused refused) {
				problems.add(node + refused.problem());
			}
			else if (finding.result() instanceof RedisStartupCheck.Result.Unreachable unreachable) {
				warnings.add(node + unreachable.message());
			}
			if (!(finding.result() instanceof RedisStartupCheck.Result.Unreachable)) {
				answered++;
			}
			finding.facts().problems().forEach((problem) -> problems.add(node + problem));
			finding.facts().warnings().forEach((warning) -> warnings.add(node + warning));
		}
		problems.addAll(doubles(findings));
		return new Result(problems, warnings, answered > findings.size() / 2);
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
