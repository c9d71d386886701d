package io.distlock.zookeeper;

import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** Creates the folders of a store that are missing. It blocks. */
final class Folders {

	private final ZooKeeper session;

	private final List<ACL> acl;

	Folders(ZooKeeper session, List<ACL> acl) {
		this.session = session;
		this.acl = acl;
	}

	void create(String folder) throws InterruptedException, KeeperException {
		if (this.session.exists(folder, false) == null) {
			try {
				this.session.create(folder, new byte[0], this.acl, CreateMode.PERSISTENT);
			}
			catch (KeeperException.NodeExistsException ex) {
				// Another process was faster.
			}
		}
	}

	/** Creates the folders among which the locks are spread, in one transaction. */
	void createSpread(Znodes znodes) throws InterruptedException, KeeperException {
		List<String> missing = missing(znodes);
		while (!missing.isEmpty()) {
			try {
				this.session.multi(missing.stream().map((name) -> operation(znodes.locks() + "/" + name)).toList());
			}
			catch (KeeperException.NodeExistsException ex) {
				// Another process was faster.
			}
			missing = missing(znodes);
		}
	}

	private Op operation(String folder) {
		return Op.create(folder, new byte[0], this.acl, CreateMode.PERSISTENT);
	}

	private List<String> missing(Znodes znodes) throws InterruptedException, KeeperException {
		List<String> missing = new ArrayList<>(Znodes.spreadNames());
		missing.removeAll(this.session.getChildren(znodes.locks(), false));
		return missing;
	}

}
