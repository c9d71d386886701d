package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.distlock.autoconfigure.LockProperties.Lock;
import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.stores.LockTemplates;
import io.distlock.support.ForeignText;

/** Checks which stores there are, and which lock is in which of them. */
final class StoreChecks {

	private StoreChecks() {
	}

	static void stores(Map<String, Store> stores) {
		stores.forEach((id, store) -> {
			String path = "stores." + id + ".";
			if (id.equals(LockTemplates.DEFAULT)) {
				throw new LockConfigurationException(
						"The property distributed-lock.stores.default has the id of the store that distributed-lock.store "
								+ "chooses.",
						"Give the store another id, or configure the default store with distributed-lock.redis.* and the "
								+ "like.");
			}
			if (store.type() == null) {
				throw new LockConfigurationException("The property distributed-lock." + path
						+ "type is not set, so it is open where the locks of " + "this store are kept.",
						"Set it to redis, redlock, jdbc, zookeeper or memory.");
			}
			store.check(path);
		});
	}

	static void locks(Map<String, Lock> locks, Set<String> ids) {
		Set<String> known = new TreeSet<>(ids);
		known.add(LockTemplates.DEFAULT);
		locks.forEach((name, lock) -> {
			List<String> chosen = lock.store();
			String property = "The property distributed-lock.locks." + ForeignText.of(name) + ".store ";
			for (String id : chosen) {
				if (!known.contains(id)) {
					throw new LockConfigurationException(
							property + "is '" + ForeignText.of(id) + "', but there is no store of this id.",
							"Known are: " + String.join(", ", known)
									+ ". Configure the store with distributed-lock.stores." + ForeignText.of(id)
									+ ".type, or correct the id.");
				}
			}
			if (chosen.size() > 2 || new HashSet<>(chosen).size() < chosen.size()) {
				throw new LockConfigurationException(property + "is " + String.join(", ", chosen)
						+ ", but a lock is in one store, or in two while it moves from the first to the second.",
						"Name one store, or two different ones.");
			}
		});
	}

	/** A lock that outlives the quarantine could be granted a second time. */
	static void quarantine(String path, Store store, Duration leaseTime, Map<String, Lock> locks) {
		Duration quarantine = store.quarantine(leaseTime);
		String property = path + store.quarantineProperty();
		PropertyChecks.quarantine(property, quarantine, "lease-time", leaseTime);
		locks.forEach((name, lock) -> {
			PropertyChecks.quarantine(property, quarantine, "locks." + name + ".lease-time", lock.leaseTime());
			PropertyChecks.quarantine(property, quarantine, "locks." + name + ".min-hold", lock.minHold());
		});
	}

}
