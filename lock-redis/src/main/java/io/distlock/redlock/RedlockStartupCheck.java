package io.distlock.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.springframework.data.redis.connection.RedisConnection;

import io.distlock.redis.RedisStartupCheck;
import io.distlock.redis.client.Workers;
import io.distlock.redis.protocol.RedisFailure;

/**
 * Checks whether the nodes of a {@link RedlockStore} can keep locks: each node passes the
 * {@link RedisStartupCheck}, and the nodes are different masters that share nothing.
 * <p>
 * The rights are those of {@link RedisStartupCheck} with a quarantine; {@code +info} and
 * {@code +config|get} make the check more complete.
 */
public final class RedlockStartupCheck {

	private final List<NodeCheck> nodes;

	private final RedlockSettings settings;

	/**
	 * Result of the check.
	 *
	 * @param problems one sentence for each reason why acquisitions fail or locks may get
	 * lost, with what to do
	 * @param warnings one sentence for each problem that passes: nodes that are away,
	 * quarantines
	 * @param majority whether a majority of the nodes answered, without which no lock can
	 * be granted
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

	/** Kept, because it does not send while a former call of it waits for the node. */
	private record NodeCheck(RedlockNode node, RedisStartupCheck check) {
	}

	private record Finding(String node, RedisStartupCheck.Result result, NodeProbe.Facts facts) {
	}

	/**
	 * Creates a check.
	 * @param nodes the nodes of the store
	 * @param settings the settings of the store
	 */
	public RedlockStartupCheck(List<RedlockNode> nodes, RedlockSettings settings) {
		this.nodes = nodes.stream()
			.map((node) -> new NodeCheck(node, new RedisStartupCheck(node.connectionFactory(), settings.node())))
			.toList();
		this.settings = settings;
	}

	/**
	 * Checks all nodes at once; blocks for at most ten command timeouts.
	 * @return the result
	 */
	public Result run() {
		return summary(askAll(this::check));
	}

	/**
	 * Names the servers that answer now. Asks all nodes at once; blocks for at most two
	 * command timeouts.
	 * @return the ids of their processes, in the order of the nodes; of a node that does
	 * not answer a question mark
	 */
	public String servers() {
		return String.join(",", askAll((node) -> node.check().server().orElse("?")));
	}

	private <T> List<T> askAll(Function<NodeCheck, T> question) {
		Workers workers = new Workers(this.nodes.size());
		try {
			List<CompletableFuture<T>> answers = this.nodes.stream()
				.map((node) -> CompletableFuture.supplyAsync(() -> question.apply(node), workers))
				.toList();
			return answers.stream().map(CompletableFuture::join).toList();
		}
		finally {
			workers.shutdown();
		}
	}

	private Finding check(NodeCheck checked) {
		RedlockNode node = checked.node();
		RedisStartupCheck.Result result = checked.check().run();
		// Even if that failed, because replicas and nodes of a Cluster refuse the
		// scripts.
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
