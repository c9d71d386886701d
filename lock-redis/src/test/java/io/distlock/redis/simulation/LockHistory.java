package io.distlock.redis.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.distlock.redis.StoredLock;

/** What the store did with one lock, and what its holders made of it. */
final class LockHistory {

	private final World world;

	private final Rules rules;

	/** Grants by the first token of each block. */
	private final TreeMap<Long, Block> blocks = new TreeMap<>();

	/** The highest request of each instance that has ended. */
	private final Map<String, Long> ended = new HashMap<>();

	private final Map<String, Long> firstAnswers = new HashMap<>();

	private long highestToken;

	private long grants;

	private long lastBegun;

	private String lastRequest = "";

	private long lastWriter;

	private long idleSince = -1;

	LockHistory(World world, Rules rules) {
		this.world = world;
		this.rules = rules;
	}

	void executed(Command command, long millis, StoredLock before, StoredLock after, Object reply) {
		long code = (reply instanceof List<?> parts && parts.get(0) instanceof Long number) ? number : 0;
		if (command.is("FINISH")) {
			finished(command, code);
		}
		else if (command.is("ACQUIRE")) {
			acquired(command, code, before, after);
		}
		if (after.held()) {
			checkGrant(command, millis, before, after);
		}
		checkEnded(after);
	}

	/** A request that is refused is over, and so is the hold of an earlier one. */
	private void acquired(Command command, long code, StoredLock before, StoredLock after) {
		if (code == 0) {
			end(command.instance(), command.request());
		}
		boolean own = before.held() && before.owner().equals(command.instance());
		if (own && before.request() < command.request() && !after.heldBy(before.owner(), before.request())) {
			end(command.instance(), before.request());
		}
	}

	private void finished(Command command, long code) {
		String request = command.instance() + " #" + command.request();
		Long first = this.firstAnswers.putIfAbsent(request, code);
		boolean superseded = this.ended.getOrDefault(command.instance(), 0L) > command.request();
		this.rules.require(first == null || first == code || superseded, "I7 a repetition gets the first answer",
				request, code, "after", first);
		end(command.instance(), command.request());
	}

	private void end(String instance, long request) {
		this.ended.merge(instance, request, Math::max);
	}

	private void checkEnded(StoredLock after) {
		this.rules.require(!after.held() || after.request() > this.ended.getOrDefault(after.owner(), 0L),
				"I3 who ended does not hold", after);
		for (StoredLock.Waiter waiter : after.queue()) {
			this.rules.require(waiter.request() > this.ended.getOrDefault(waiter.instance(), 0L),
					"I3 who ended does not wait", after);
		}
	}

	private void checkGrant(Command command, long millis, StoredLock before, StoredLock after) {
		boolean same = after.heldBy(before.held() ? before.owner() : "", before.request());
		if (same && after.token() == before.token()) {
			return;
		}
		this.rules.require(after.token() > this.highestToken, "I2 tokens increase from grant to grant", after, "after",
				this.highestToken);
		this.highestToken = Math.max(this.highestToken, after.highestToken());
		if (!same) {
			this.grants++;
			this.idleSince = -1;
			checkOrder(command, millis, before, after);
		}
		this.blocks.put(after.token(), new Block(this.grants, after.owner(), after.request(), after.highestToken()));
	}

	/** First come, first served, among those who are alive. */
	private void checkOrder(Command command, long millis, StoredLock before, StoredLock after) {
		String first = before.queue()
			.stream()
			.filter((waiter) -> waiter.instance().equals(command.instance()) ? after.owner().equals(waiter.instance())
					: waiter.aliveUntil() > millis)
			.map(StoredLock.Waiter::instance)
			.findFirst()
			.orElse(after.owner());
		this.rules.require(first.equals(after.owner()), "I6 first come, first served", command, "made it", after,
				"from", before);
	}

	/** A body begins with a token of a block that the store gave to its process. */
	void begun(Held held) {
		Map.Entry<Long, Block> entry = this.blocks.floorEntry(held.token());
		Block block = (entry != null) ? entry.getValue() : new Block(0, "nobody", 0, 0);
		this.rules.require(block.owner().equals(held.node().name()) && held.token() <= block.last(),
				"I8 no body runs without a grant", held, "but that token is of", block);
		if (this.world.scenario().exclusive()) {
			this.rules.require(held.token() > this.lastBegun, "I2 tokens increase from holder to holder", held, "after",
					this.lastBegun);
		}
		this.lastBegun = held.token();
		String request = block.owner() + " #" + block.request();
		if (request.equals(this.lastRequest)) {
			this.world.figures().passedOn++;
		}
		this.lastRequest = request;
	}

	/**
	 * The resource took a write: none of an earlier holder after one of a later holder.
	 */
	void written(long token) {
		Map.Entry<Long, Block> entry = this.blocks.floorEntry(token);
		long writer = (entry != null) ? entry.getValue().grant() : 0;
		this.rules.require(writer >= this.lastWriter, "I2 the resource refuses earlier holders", "grant", writer,
				"after", this.lastWriter);
		this.lastWriter = writer;
	}

	void stateLost() {
		this.ended.clear();
		this.firstAnswers.clear();
	}

	/**
	 * For how long it has been wanted, and nobody believes, and nobody was granted it.
	 * @param wanted whether that is so now
	 */
	long idle(boolean wanted) {
		long now = this.world.schedule().now();
		if (!wanted) {
			this.idleSince = -1;
			return 0;
		}
		if (this.idleSince < 0) {
			this.idleSince = now;
		}
		return now - Math.max(this.idleSince, this.world.idleCountsFrom());
	}

	/** Tokens that were granted together. */
	private record Block(long grant, String owner, long request, long last) {
	}

}
