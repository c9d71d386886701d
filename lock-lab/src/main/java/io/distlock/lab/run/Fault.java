package io.distlock.lab.run;

import java.util.Optional;
import java.util.stream.Stream;

import io.distlock.lab.strategy.Text;

/** A fault, which happens once in a run, when a quarter of the items is sold. */
public enum Fault {

	/** Nothing. */
	NONE("none", false, new Text("No fault", "无故障"), new Text("Nothing goes wrong.", "一切正常。")),

	/** The process of the holder is killed. */
	KILL_HOLDER("kill-holder", false, new Text("Kill the holder", "杀死持锁进程"),
			new Text("The process of a caller that is inside is killed with kill -9.", "用 kill -9 杀死正在临界区内的调用者所在的进程。")),

	/** The process of the holder is stopped for longer than a lease. */
	FREEZE_HOLDER("freeze-holder", false, new Text("Freeze the holder", "冻结持锁进程"),
			new Text("The process of a caller that is inside is frozen for longer than a lease of 2 s, "
					+ "as by a long garbage collection.", "正在临界区内的进程被冻结，时间超过 2 秒的租期，就像一次很长的 GC 停顿。")),

	/** The work of the holder takes longer than a lease, and its process runs on. */
	LONG_WORK("long-work", false, new Text("Work longer than a lease", "工作时间超过租期"),
			new Text("The work of one caller takes longer than a lease of 2 s. Its process runs, so it can renew.",
					"一个调用者的工作时间超过 2 秒的租期。它的进程正常运行，可以续租。")),

	/** Redis does not answer for longer than a lease. */
	PAUSE_REDIS("pause-redis", true, new Text("Pause Redis", "暂停 Redis"),
			new Text("Redis answers nothing for longer than a lease of 2 s while a caller is inside.",
					"在调用者处于临界区时，Redis 停止响应，时间超过 2 秒的租期。")),

	/** Redis loses what it has in memory. */
	RESTART_REDIS("restart-redis", true, new Text("Restart Redis", "重启 Redis"),
			new Text("Redis is stopped and started again without its locks while a caller is inside; "
					+ "a stock in Redis is kept on disk.", "在调用者处于临界区时重启 Redis，锁的数据丢失；存放在 Redis 中的库存会落盘保留。")),

	/** All connections of Redis are closed. */
	CUT_CONNECTIONS("cut-connections", true, new Text("Cut connections", "切断连接"),
			new Text("Redis closes the connections of all clients while a caller is inside.",
					"在调用者处于临界区时，Redis 断开所有客户端连接。")),

	/** The master dies and a replica takes over that does not know the last lock. */
	FAILOVER("failover", true, new Text("Fail over", "主从切换"),
			new Text("The master dies before its replica has the last lock; Sentinel promotes the replica.",
					"主节点在把最后一把锁复制给从节点之前崩溃，哨兵把从节点提升为主节点。"));

	private final String id;

	private final boolean redis;

	private final Text title;

	private final Text text;

	Fault(String id, boolean redis, Text title, Text text) {
		this.id = id;
		this.redis = redis;
		this.title = title;
		this.text = text;
	}

	/**
	 * Names the fault in addresses.
	 * @return the name
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Says whether the fault hits Redis, not a node.
	 * @return whether a strategy must use Redis
	 */
	public boolean hitsRedis() {
		return this.redis;
	}

	/**
	 * Names the fault for readers.
	 * @return its name
	 */
	public Text title() {
		return this.title;
	}

	/**
	 * Describes the fault.
	 * @return a sentence
	 */
	public Text text() {
		return this.text;
	}

	/**
	 * Finds a fault.
	 * @param id its name
	 * @return empty if there is none
	 */
	public static Optional<Fault> find(String id) {
		return Stream.of(values()).filter((fault) -> fault.id.equals(id)).findFirst();
	}

}
