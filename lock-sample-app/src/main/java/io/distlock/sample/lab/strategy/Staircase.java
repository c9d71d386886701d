package io.distlock.sample.lab.strategy;

import java.util.List;
import java.util.Optional;

import io.distlock.sample.lab.strategy.Step.Place;
import io.distlock.sample.lab.strategy.Step.Server;
import io.distlock.sample.lab.strategy.Step.Stock;

/** All strategies, from nothing at all to fenced writes. */
public final class Staircase {

	private static final Text PLAIN = new Text("Without a lock that all share", "没有共享的锁");

	private static final Text OURS = new Text("This project", "本项目");

	private static final List<Step> STEPS = List.of(
			new Step("nothing", PLAIN, NoLock.class, (kit) -> new NoLock(), List.of(), Stock.SHELF, 1, Place.WORK, null,
					false, new Text("No lock", "不加锁"),
					new Text("Two customers read the same number, and both get the same item.",
							"两个顾客读到同一个库存数，于是买到了同一件商品。")),
			new Step("synchronized", PLAIN, JvmLock.class, (kit) -> new JvmLock(), List.of(), Stock.SHELF, 1,
					Place.WORK, null, false, new Text("synchronized", "synchronized（JVM 锁）"),
					new Text("It excludes the threads of one process; the other node has a monitor of its own.",
							"它只能排斥同一个进程里的线程；另一个节点有自己的监视器。")),
			new Step("annotation-redis", OURS, AnnotationOnRedis.class, AnnotationOnRedis::create,
					List.of(Server.REDIS), Stock.SHELF, 1, Place.WORK, null, true,
					new Text("@DistributedLock on Redis", "@DistributedLock（Redis）"),
					new Text(
							"A process that freezes between its last check and its write writes all the same; "
									+ "fenced writes close that gap.",
							"如果进程恰好在最后一次检查与写入之间被冻结，醒来后仍会写入；用带围栏令牌的写入可以堵住这个缺口。")));

	private Staircase() {
	}

	/**
	 * Lists the steps from the bottom.
	 * @return all steps
	 */
	public static List<Step> steps() {
		return STEPS;
	}

	/**
	 * Finds a step.
	 * @param id its name
	 * @return empty if there is none
	 */
	public static Optional<Step> find(String id) {
		return STEPS.stream().filter((step) -> step.id().equals(id)).findFirst();
	}

}
