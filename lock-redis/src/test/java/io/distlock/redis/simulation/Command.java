package io.distlock.redis.simulation;

import java.util.ArrayList;
import java.util.List;

import io.distlock.redis.StoredLock;
import io.distlock.spi.Sharing;

/**
 * A command of a process to the server.
 *
 * @param verb the name of its script
 * @param byText whether it brings the script along
 * @param key the lock, as the server names it
 * @param arguments of the script
 */
record Command(String verb, boolean byText, String key, List<String> arguments) {

	private static final int WAITER_TTL = 4;

	private static final int NOT_AFTER = 7;

	private static final int HOLDS = 3;

	private static final int WANTED = 12;

	String instance() {
		return this.arguments.get(0);
	}

	long request() {
		return Long.parseLong(this.arguments.get(1));
	}

	/** The request by its name. */
	String id() {
		return instance() + " #" + request();
	}

	/** How an acquire wants the lock. */
	Sharing wanted() {
		return StoredLock.sharing((this.arguments.size() > WANTED) ? this.arguments.get(WANTED) : "");
	}

	/** Whether an order to release by force names a hold. */
	boolean names(String instance, long request) {
		for (int i = HOLDS; i + 1 < this.arguments.size(); i += 2) {
			if (this.arguments.get(i).equals(instance) && this.arguments.get(i + 1).equals(String.valueOf(request))) {
				return true;
			}
		}
		return false;
	}

	/** Whether it asks once and leaves the queue. */
	boolean asksOnce() {
		return is("ACQUIRE") && this.arguments.get(WAITER_TTL).equals("0");
	}

	boolean is(String name) {
		return this.verb.equals(name);
	}

	/** The same, without saying when it is void. */
	Command withoutNotAfter() {
		if (!is("ACQUIRE")) {
			return this;
		}
		List<String> changed = new ArrayList<>(this.arguments);
		changed.set(NOT_AFTER, "0");
		return new Command(this.verb, this.byText, this.key, changed);
	}

	@Override
	public String toString() {
		if (is("FORCE_RELEASE")) {
			return this.verb + " " + this.key + " " + this.arguments.subList(HOLDS, this.arguments.size());
		}
		return this.verb + (this.byText ? " by text " : " ") + this.key
				+ (is("INSPECT") ? "" : " " + id() + (is("ACQUIRE") ? " " + wanted() : ""));
	}

}
