package io.distlock.autoconfigure.redis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.redis.RedisAddress;
import io.distlock.redlock.RedlockStartupCheck;
import io.distlock.support.ForeignText;

/**
 * Reads the list of nodes, reports its faults without showing a password, and checks the
 * nodes.
 */
final class RedlockNodes {

	private static final String PROPERTY = "redlock.nodes";

	private static final String LIST = "List an odd number of masters that share nothing, at least 3, for instance "
			+ "%s=redis://redis-1:6379,redis://redis-2:6379,redis://redis-3:6379.";

	private RedlockNodes() {
	}

	/**
	 * Reads a list.
	 * @param path the prefix of the properties
	 * @param texts the list
	 * @return the addresses
	 */
	static List<RedisAddress> parse(String path, List<String> texts) {
		String property = path + PROPERTY;
		String list = LIST.formatted(property);
		String where = "The property " + property;
		if (texts.isEmpty()) {
			throw new LockConfigurationException(
					path + (path.equals(LockStoreFactory.Definition.DEFAULT_PATH) ? "store" : "type")
							+ " is redlock, but " + property + " is empty.",
					list);
		}
		List<RedisAddress> addresses = new ArrayList<>();
		for (String text : texts) {
			addresses.add(parse(where, text, addresses.size()));
		}
		if (addresses.size() < 3 || addresses.size() % 2 == 0) {
			throw new LockConfigurationException(
					where + " has " + addresses.size() + " nodes but must have an odd number of at least 3.", list);
		}
		requireDifferent(where, addresses);
		return addresses;
	}

	private static RedisAddress parse(String where, String text, int index) {
		try {
			return RedisAddress.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(where + "[" + index + "] " + ForeignText.messageOf(ex) + ".",
					"Write host:port or redis://user:password@host:port/database, with rediss:// for TLS.");
		}
	}

	private static void requireDifferent(String where, List<RedisAddress> addresses) {
		Set<String> seen = new HashSet<>();
		for (RedisAddress address : addresses) {
			if (!seen.add(address.server())) {
				throw new LockConfigurationException(
						where + " has the server " + address.server() + " twice, whose loss would count twice.",
						"List each master once; another database of the same server is no other master.");
			}
		}
	}

	static StoreCheck check(RedlockStartupCheck check, String path, StoreCheck.Mode mode) {
		return new StoreCheck(mode, "The Redlock nodes cannot keep locks reliably", "the nodes",
				path + RedisChecks.PROPERTY, check::run);
	}

}
