package io.distlock.redis.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.support.ForeignText;

/** Checks version and eviction, as far as the user's rights allow. */
public final class ServerProbe {

	private static final Pattern VERSION = Pattern.compile("([0-9]{1,9})\\.([0-9]{1,9}).*");

	private final ServerCommands server;

	/**
	 * Creates a check.
	 * @param server asks the server
	 */
	public ServerProbe(ServerCommands server) {
		this.server = server;
	}

	/**
	 * Asks the server.
	 * @return one sentence per problem
	 */
	public List<String> problems() {
		List<String> problems = new ArrayList<>();
		Properties server = ServerInfo.section(this.server, "server");
		Properties memory = ServerInfo.section(this.server, "memory");
		for (String version : values(server, "redis_version")) {
			if (tooOld(version)) {
				problems.add("Redis " + ForeignText.of(version) + " is too old for locks: use 6.2 or later");
			}
		}
		List<String> limits = values(memory, "maxmemory");
		List<String> policies = values(memory, "maxmemory_policy");
		for (int i = 0; i < Math.min(limits.size(), policies.size()); i++) {
			if (!limits.get(i).equals("0") && !policies.get(i).equals("noeviction")) {
				problems.add("Redis evicts keys when memory is full (maxmemory-policy "
						+ ForeignText.of(policies.get(i))
						+ "), and locks with them, so that two processes may hold the same lock: set maxmemory-policy "
						+ "to noeviction, or use a separate server for locks");
				break;
			}
		}
		return problems;
	}

	/**
	 * Returns whether locks need a later version.
	 * @param version what the server reports
	 */
	public static boolean tooOld(String version) {
		Matcher matcher = VERSION.matcher(version);
		if (!matcher.matches()) {
			return false;
		}
		int major = Integer.parseInt(matcher.group(1));
		return major < 6 || (major == 6 && Integer.parseInt(matcher.group(2)) < 2);
	}

	/** Returns the values of all nodes; in a Cluster each name begins with its node. */
	static List<String> values(Properties info, String name) {
		List<String> values = new ArrayList<>();
		info.stringPropertyNames()
			.stream()
			.sorted()
			.filter((key) -> key.equals(name) || key.endsWith("." + name))
			.forEach((key) -> values.add(info.getProperty(key)));
		return values;
	}

}
