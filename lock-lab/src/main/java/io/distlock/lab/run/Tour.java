package io.distlock.lab.run;

import java.util.List;

import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Text;
import org.jspecify.annotations.Nullable;

/** What a newcomer should see, in this order. */
public final class Tour {

	private static final List<Stop> STOPS = List.of(
			stop("one-jvm", "synchronized", Fault.NONE, 1, new Text("One process", "一个进程"),
					new Text(
							"Eight callers of one process buy 60 items, with synchronized around reading and writing. "
									+ "Is an item sold twice?",
							"一个进程里有 8 个调用者购买 60 件商品，读取和写入都在 synchronized 里。会有商品卖两次吗？"),
					new Text("No. All threads of a process share the monitor, so one JVM needs no other lock.",
							"不会。同一进程的所有线程共享这个监视器，所以只有一个 JVM 时不需要别的锁。")),
			stop("two-jvms", "synchronized", Fault.NONE, 2, new Text("Two processes", "两个进程"),
					new Text("The same code on two nodes behind a load balancer. What changes?",
							"同样的代码，部署在负载均衡后面的两个节点上。会有什么变化？"),
					new Text(
							"Each JVM has a monitor of its own. One caller of each node reads the same number, and both write one less: "
									+ "the stock falls by one, two customers have the item. The lock must be outside of the processes.",
							"每个 JVM 都有自己的监视器。两个节点各有一个调用者读到同一个数，又都写回少一的数：库存只减了 1，却卖给了两个顾客。锁必须放在进程之外。")),
			stop("dead-holder", "setnx-del", Fault.KILL_HOLDER, 2, new Text("A holder dies", "持有者崩溃"), new Text(
					"SETNX in Redis is shared by all nodes, and DEL gives it back. Then kill -9 hits the holder. What do the others do?",
					"Redis 的 SETNX 所有节点共享，用 DEL 释放。这时持有者被 kill -9。其他人会怎样？"),
					new Text(
							"They wait for ever: the one who would have deleted the key is dead. A lock needs a lease, set in the same command: "
									+ "SET key value NX EX. Two commands leave a gap in which the holder can die, too.",
							"永远等下去：该删除这个键的进程已经死了。锁必须有租期，而且要在同一条命令里设置：SET key value NX EX。分成两条命令，持有者可能死在两条命令之间。")),
			stop("uuid", "blind-delete", Fault.FREEZE_HOLDER, 2, new Text("Why the value is a UUID", "值为什么要用 UUID"),
					new Text(
							"Now the key has a lease of 2 s. The holder freezes for longer, wakes up, and deletes the key at its end. Whose key?",
							"现在这个键有 2 秒租期。持有者被冻结得更久，醒来后在结尾删除这个键。删掉的是谁的？"),
					new Text(
							"The key of the next holder, who came in after the lease; then a third one comes in beside it. "
									+ "The value has to name its owner: a UUID and the thread, as numbers of threads repeat between processes. "
									+ "The owner looks before it deletes.",
							"是租期结束后进来的下一个持有者的键；于是第三个人也进来了。值必须标明所有者：UUID 加线程号，因为不同进程的线程号会重复。删除之前先看是不是自己的。")),
			stop("lua", "check-then-delete", Fault.FREEZE_HOLDER, 2,
					new Text("Why the release is a Lua script", "释放为什么要用 Lua 脚本"),
					new Text(
							"The owner reads the key, sees its own UUID, freezes, and then sends DEL. Does the check help?",
							"所有者读到键里是自己的 UUID，这时被冻结，之后才发出 DEL。这个检查有用吗？"),
					new Text(
							"No. Between GET and DEL the lease ended and the key became another one's. Looking and deleting have to be one step, "
									+ "and in Redis a Lua script is one step.",
							"没有用。在 GET 和 DEL 之间租期已过，键已经属于别人。检查和删除必须是一步；在 Redis 里，一段 Lua 脚本就是一步。")),
			stop("long-work", "owner-lua", Fault.LONG_WORK, 2,
					new Text("Work that takes longer than the lease", "工作时间超过租期"),
					new Text(
							"The release is right now. One caller's work takes longer than its lease of 2 s. Nothing is frozen, nothing fails. What happens?",
							"释放已经正确。有一个调用者的工作时间超过 2 秒的租期。没有冻结，也没有故障。会怎样？"),
					new Text(
							"The lease ends while it works, another one comes in, and both write. A longer lease only moves the problem: "
									+ "it blocks the others for longer when a holder dies. The holder has to renew the lease while it works.",
							"租期在工作途中结束，别人进来，两个人都写。把租期加长只是推迟问题：持有者崩溃时别人会被挡得更久。应该由持有者在工作期间续租。")),
			stop("renewal", "hash-renewed", Fault.LONG_WORK, 2, new Text("A timer renews the lease", "定时续租"),
					new Text("The same long work, and a timer that renews the lease every third of it. Does it hold?",
							"同样的长时间工作，但每过三分之一租期就有定时器续租。守得住吗？"),
					new Text(
							"Yes. The lease stays short, so a dead holder blocks nobody for long, and work may take as long as it likes.",
							"守得住。租期可以很短，持有者崩溃不会长时间挡住别人；工作想做多久都行。")),
			stop("blocks-itself", "setnx-twice", Fault.NONE, 2, new Text("Why a lock must be reentrant", "锁为什么要可重入"),
					new Text(
							"A method that holds the lock calls another one that takes the same lock. What does it wait for?",
							"持有锁的方法调用另一个也要加同一把锁的方法。它在等谁？"),
					new Text(
							"For itself, for ever: the key is there, and SETNX does not look whose it is. The owner has to be let in again.",
							"等它自己，永远等下去：键已经存在，而 SETNX 不看它是谁的。应该让所有者再次进入。")),
			stop("count", "owner-twice", Fault.NONE, 2, new Text("Why reentrancy needs a count", "可重入为什么要计数"), new Text(
					"Now the owner may enter again. The inner method ends and gives the lock back. The outer one still works. Is it alone?",
					"现在所有者可以再次进入。内层方法结束时释放了锁，外层还在工作。它还是独占的吗？"),
					new Text(
							"No. The inner end deleted the key. A hash with the owner and a count knows how often it was taken, "
									+ "and only the last end deletes it: HINCRBY 1, HINCRBY -1, DEL at zero, each in a script.",
							"不是。内层退出时已经把键删了。用哈希保存所有者和计数，就知道进入了几次，最后一次退出才删除：HINCRBY 1、HINCRBY -1、为零时 DEL，各在一段脚本里。")),
			stop("failover", "hash-renewed", Fault.FAILOVER, 2, new Text("The master dies", "主节点崩溃"), new Text(
					"The hash is renewed and counted: the last version of the tutorials. The master of Redis dies "
							+ "before its replica has the lock. Who has the lock now?",
					"哈希加计数加续租：教程里的最后一版。Redis 主节点在把锁复制给从节点之前崩溃了。现在锁是谁的？"),
					new Text(
							"Nobody, as far as the new master knows, so a second holder comes in beside the first. Redis answers before its replica has the data. "
									+ "This project can let a new master wait for a lease (failoverDelay), or ask a majority of servers that have no replicas.",
							"在新的主节点看来，谁也没有锁，于是第二个持有者进来了。Redis 在从节点收到数据之前就已经应答。本项目可以让新主节点等待一个租期（failoverDelay），或者询问多数派：几台互不复制的服务器。")),
			stop("redlock", "guarded-redlock", Fault.RESTART_REDIS, 2, new Text("What Redlock adds", "Redlock 增加了什么"),
					new Text(
							"The lock is on a majority of three servers. One of them forgets everything. Is the lock lost, does the service stop?",
							"锁放在三台服务器的多数派上。其中一台忘掉了一切。锁会丢吗？服务会停吗？"),
					new Text(
							"Neither. Two of three still know the lock, and the one that forgot takes no part until old leases are over. "
									+ "It costs several times the commands, and it does not help against a holder that freezes.",
							"都不会。三台中还有两台记得这把锁，忘掉的那台在旧租期结束之前不参与表决。代价是数倍的命令；对被冻结的持有者，它没有帮助。")),
			stop("bare", "annotation-redis", Fault.FREEZE_HOLDER, 2, new Text("The annotation alone", "只用注解"), new Text(
					"@DistributedLock waits, renews and is reentrant. Its holder freezes for longer than the lease. Is that enough?",
					"@DistributedLock 会等待、会续租、可重入。持有者被冻结的时间超过租期。这样够了吗？"),
					new Text(
							"No. The timer froze with its process, the lease ended, another one came in. After waking up the method writes, "
									+ "and only at its end it fails with LockLostException: the transaction rolls back, a write to Redis stays.",
							"不够。定时器随进程一起被冻结，租期结束，别人进来了。方法醒来后照样写入，直到结束时才抛出 LockLostException：事务会回滚，写进 Redis 的却留下了。")),
			stop("guarded", "guarded-redis", Fault.FREEZE_HOLDER, 2, new Text("The guarded annotation", "加上防护的注解"),
					new Text(
							"The same freeze, with onLost = INTERRUPT and ensureHeld() right before the write. What does the holder do when it wakes up?",
							"同样的冻结，但设置了 onLost = INTERRUPT，并在写入前调用 ensureHeld()。持有者醒来后会怎么做？"),
					new Text(
							"It learns that its lock is gone, and does not write. A gap is left: it could freeze between the check and the write.",
							"它得知锁已丢失，不再写入。还剩一个缺口：它可能恰好在检查和写入之间被冻结。")),
			stop("fencing", "fenced-writes", Fault.FREEZE_HOLDER, 2, new Text("What fencing adds", "栅栏令牌增加了什么"),
					new Text(
							"No check in the holder at all, but each grant has a higher number, and the stock remembers the highest that it saw. "
									+ "The holder freezes. What happens to its late write?",
							"持有者这边完全不检查，但每次授予的令牌都更大，库存记住见过的最大令牌。持有者被冻结。它迟到的写入会怎样？"),
					new Text(
							"The stock refuses it: its token is lower than that of the next holder. No pause can be too long, "
									+ "and it works even if two believe that they hold the lock. But what is written to must know the token.",
							"库存拒绝它：它的令牌比下一个持有者的小。停顿再久也没关系，即使两个人都以为自己持有锁也没问题。前提是被写入的一方认识令牌。")));

	private Tour() {
	}

	private static Stop stop(String id, String strategy, Fault fault, int nodes, Text title, Text question, Text why) {
		// A run is exact or stuck sooner with few items; a fault needs some to be sold
		// meanwhile.
		int items = (fault == Fault.NONE) ? 60 : 120;
		return new Stop(id, title, new RunRequest(strategy, fault.id(), nodes, 8, items, 5), question, why,
				Staircase.find(strategy).orElseThrow().fixedBy(), Staircase.find(strategy).orElseThrow().docs());
	}

	/**
	 * Lists the stops in their order.
	 * @return all stops
	 */
	public static List<Stop> stops() {
		return STOPS;
	}

	/**
	 * A stop of the tour.
	 *
	 * @param id its name, also that of the recorded run
	 * @param title what it is about
	 * @param request the run
	 * @param question what the reader should think about before the run
	 * @param why what came of it, and why
	 * @param next the strategy that mends it, or {@code null}
	 * @param docs where to read on, a path below the root of the repository, or
	 * {@code null}
	 */
	public record Stop(String id, Text title, RunRequest request, Text question, Text why, @Nullable String next,
			@Nullable String docs) {
	}

}
