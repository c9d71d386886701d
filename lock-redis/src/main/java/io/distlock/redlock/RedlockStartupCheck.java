package io.distlock.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;

import io.distlock.redis.Quarantine;
import io.distlock.redis.RedisStartupCheck;
import io.distlock.redis.client.Workers;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Finds out whether the nodes of a {@link RedlockStore} can keep locks: what
 * {@link RedisStartupCheck} asks of one server, and that they are different masters that
 * share nothing.
 * <p>
 * The rights are those of {@link RedisStartupCheck} with a quarantine; {@code +info} and
 * {@code +config|get} let it see more.
 */
public final class RedlockStartupCheck {

	private final List<RedlockNode> nodes;

	private final RedlockSettings settings;

	/**
	 * What the check found.
	 *
	 * @param problems sentences about what makes locks fail or get lost, and what to do
	 * @param warnings sentences about what passes: nodes that are away, quarantines
	 */
	public record Result(List<String> problems, List<String> warnings) {

		/** Copies the lists. */
		public Result {
			problems = List.copyOf(problems);
			warnings = List.copyOf(warnings);
		}

	}

	private record Finding(String node, RedisStartupCheck.Result result, NodeProbe.Facts facts) {
	}

	/**
	 * Creates a check.
	 * @param nodes those of the store
	 * @param settings those of the store
	 */
	public RedlockStartupCheck(List<RedlockNode> nodes, RedlockSettings settings) {
		this.nodes = List.copyOf(nodes);
		this.settings = settings;
	}

	/**
	 * Looks at all nodes at once; blocks, at most ten command timeouts.
	 * @return what it found
	 */
	public Result run() {
		ThreadPoolExecutor workers = Workers.start(this.nodes.size());
		try {
			List<CompletableFuture<Finding>> looks = this.nodes.stream()
				.map((node) -> CompletableFuture.supplyAsync(() -> look(node), workers))
				.toList();
			return summary(looks.stream().map(CompletableFuture::join).toList());
		}
		finally {
			workers.shutdown();
		}
	}

	private Finding look(RedlockNode node) {
		RedisStartupCheck.Result result = new RedisStartupCheck(node.connectionFactory(), this.settings.node()).run();
		// Also where that failed: replicas and nodes of a Cluster refuse to be tried out.
		try (RedisConnection connection = node.connectionFactory().getConnection()) {
			return new Finding(node.name(), result,
					new NodeProbe(connection, new Quarantine(this.settings.node())).facts());
		}
		catch (RuntimeException ex) {
			// What was found so far stands.
			return new Finding(node.name(),
					(result instanceof RedisStartupCheck.Result.Passed) ? RedisStartupCheck.failed(ex) : result,
					NodeProbe.Facts.NONE);
		}
	}

	private Result summary(List<Finding> findings) {
		List<String> problems = new ArrayList<>();
		List<String> warnings = new ArrayList<>();
		for (Finding finding : findings) {
			String node = "Node " + finding.node() + ": ";
			if (finding.result() instanceof RedisStartupCheck.Result.Problems found) {
				found.problems().forEach((problem) -> problems.add(node + problem));
			}
			else if (finding.result() instanceof RedisStartupCheck.Result.Unreachable unreachable) {
				warnings.add(node + unreachable.message());
			}
			finding.facts().problems().forEach((problem) -> problems.add(node + problem));
			finding.facts().warnings().forEach((warning) -> warnings.add(node + warning));
		}
		problems.addAll(doubles(findings));
		return new Result(problems, warnings);
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
