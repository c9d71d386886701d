package io.distlock.lab.strategy;

/** What a lock has to be. Each of these conditions is broken by some step. */
public enum Condition {

	/** One at a time. */
	EXCLUSIVE("exclusive", new Text("Only one holder at a time, over all processes", "独占：任何时刻、所有进程中只有一个持有者")),

	/** It survives the loss of a server. */
	AVAILABLE("available",
			new Text("A server that fails neither loses the lock nor stops it", "高可用：一台服务器故障，既不丢锁，也不停摆")),

	/** A holder that dies blocks nobody for ever. */
	DEADLOCK_FREE("deadlock-free",
			new Text("A holder that dies does not block the others for ever", "防死锁：持有者崩溃，不会永远挡住别人")),

	/** Only its owner gives it back. */
	OWNER_ONLY("owner-only", new Text("Nobody gives back the lock of another one", "不乱抢：谁加的锁谁来释放")),

	/** Its owner may take it again. */
	REENTRANT("reentrant", new Text("Its owner may enter again, and stays the owner until the outermost end",
			"可重入：持有者可以再次进入，直到最外层退出才释放"));

	private final String id;

	private final Text title;

	Condition(String id, Text title) {
		this.id = id;
		this.title = title;
	}

	/**
	 * Names the condition in addresses.
	 * @return the name
	 */
	public String id() {
		return this.id;
	}

	/**
	 * States the condition.
	 * @return a sentence
	 */
	public Text title() {
		return this.title;
	}

}
