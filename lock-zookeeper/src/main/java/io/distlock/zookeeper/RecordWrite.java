package io.distlock.zookeeper;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

import io.distlock.LockStoreException;
import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Message;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Executes one conditional write of a record. It builds the transaction and interprets
 * the answer.
 */
final class RecordWrite {

	/**
	 * The longest message. A message has the key of its lock, which may be long, and the
	 * servers close the connection of a request of more than 1 MB. At most two hundred
	 * processes can wait, and as many messages fit into a request beside the longest
	 * record.
	 */
	private static final int LONGEST_MESSAGE = 2000;

	private final ProcessSession session;

	private final LiveProcesses processes;

	private final Znodes znodes;

	private final List<ACL> acl;

	private final Change change;

	private final String path;

	/** Messages by receiver. */
	private final Map<String, List<String>> mails = new LinkedHashMap<>();

	/** Whether the znode stays, because a foreign client has created a child in it. */
	private boolean kept;

	RecordWrite(ProcessSession session, LiveProcesses processes, Znodes znodes, List<ACL> acl, Change change) {
		this.session = session;
		this.processes = processes;
		this.znodes = znodes;
		this.acl = acl;
		this.change = change;
		this.path = znodes.lock(change.key());
		for (Message message : change.messages()) {
			if (message.text().length() > LONGEST_MESSAGE) {
				continue;
			}
			this.mails.computeIfAbsent(message.incarnation(), (absent) -> new ArrayList<>()).add(message.text());
		}
	}

	CompletionStage<Written> send() {
		List<Op> operations = new ArrayList<>();
		RecordNode.Version left = (this.change.expected() instanceof Expected.At at)
				? change((RecordNode.Version) at.version(), operations) : create(operations);
		int mailsFrom = operations.size();
		List<String> receivers = List.copyOf(this.mails.keySet());
		this.mails.forEach(
				(receiver, texts) -> operations.add(Op.setData(this.znodes.mail(receiver), Mailbox.data(texts), -1)));
		return this.session.write(operations).thenCompose((answer) -> {
			if (answer instanceof Calls.Together.Done done) {
				Stat stat = ProcessSession.statOf(done);
				return CompletableFuture
					.completedFuture(new Written.Done(left, ProcessSession.tokenFloor(stat.getMzxid())));
			}
			Calls.Together.Refused refused = (Calls.Together.Refused) answer;
			// The first operation is the heartbeat.
			int mail = refused.index() - 1 - mailsFrom;
			if (refused.code() == Code.NONODE && mail >= 0) {
				return sendWithout(receivers.get(mail));
			}
			return refused(refused);
		});
	}

	/**
	 * Handles a receiver without a mailbox. Perhaps the receiver's process is over, and
	 * the change was computed without this knowledge. Or an operator has deleted the
	 * mailbox, which its owner will find out.
	 */
	private CompletionStage<Written> sendWithout(String receiver) {
		return this.processes.checkOne(receiver).thenCompose((gone) -> {
			if (gone) {
				return CompletableFuture.completedFuture(new Written.Lost());
			}
			this.mails.remove(receiver);
			return send();
		});
	}

	private CompletionStage<Written> refused(Calls.Together.Refused refused) {
		if (refused.code() == Code.NOTEMPTY && !this.kept) {
			this.kept = true;
			return send();
		}
		if (refused.code() == Code.NONODE && refused.index() > 0 && this.change.expected() instanceof Expected.At at) {
			return lostUnlessDamaged((RecordNode.Version) at.version());
		}
		if (refused.code() == Code.NODEEXISTS || refused.code() == Code.BADVERSION) {
			return CompletableFuture.completedFuture(new Written.Lost());
		}
		if (refused.index() == 0 && refused.code() == Code.NONODE) {
			this.session.end();
		}
		return CompletableFuture.failedFuture(KeeperException.create(refused.code(), this.path));
	}

	/**
	 * Handles a missing znode or child. Both are deleted together, and never get the same
	 * identity again. So a znode that still exists has lost its child, and no write would
	 * ever win.
	 */
	private CompletionStage<Written> lostUnlessDamaged(RecordNode.Version before) {
		return this.session.calls().get(this.path, null).thenCompose((found) -> {
			boolean damaged = found.filter((node) -> isOf(node, before)).isPresent();
			return damaged ? CompletableFuture.failedFuture(damaged(before))
					: CompletableFuture.completedFuture(new Written.Lost());
		});
	}

	private static boolean isOf(Calls.Found found, RecordNode.Version version) {
		try {
			return RecordNode.of(found.data()).identity().equals(version.identity());
		}
		catch (IllegalArgumentException ex) {
			// A read of the znode reports the fault.
			return false;
		}
	}

	private LockStoreException damaged(RecordNode.Version before) {
		return new LockStoreException(this.change.key(),
				"The record of lock '" + KeyText.of(this.change.key()) + "' in ZooKeeper is damaged: " + this.path
						+ " has lost its child " + ForeignText.of(before.identity())
						+ ". Once no process holds the lock, delete it with: deleteall " + this.path,
				null);
	}

	private RecordNode.Version change(RecordNode.Version before, List<Op> operations) {
		String child = this.path + "/" + before.identity();
		if (isRemoved()) {
			operations.add(Op.delete(child, -1));
			operations.add(Op.delete(this.path, before.version()));
		}
		else {
			operations.add(Op.check(child, -1));
			operations.add(Op.setData(this.path, data(before.identity()), before.version()));
		}
		return new RecordNode.Version(before.identity(), before.version() + 1);
	}

	private RecordNode.Version create(List<Op> operations) {
		String identity = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
		operations.add(Op.create(this.path, data(identity), this.acl, CreateMode.PERSISTENT));
		if (isRemoved()) {
			// Nothing is kept. But a write of this process that is still under way must
			// come before this one, or never.
			operations.add(Op.delete(this.path, 0));
		}
		else {
			operations.add(Op.create(this.path + "/" + identity, new byte[0], this.acl, CreateMode.PERSISTENT));
		}
		return new RecordNode.Version(identity, 0);
	}

	/**
	 * Returns whether the znode is removed. A free lock has a znode only if its tokens
	 * ran ahead of the transactions.
	 */
	private boolean isRemoved() {
		return !this.kept && this.change.idle() && this.session.isPassed(this.change.highest());
	}

	private byte[] data(String identity) {
		return new RecordNode(identity, this.change.idle(), this.change.highest(), this.change.summary().until(),
				this.change.text())
			.data();
	}

}
