package io.distlock.benchmark.stores;

import io.distlock.ReleaseMode;

/** The implementations that are compared, ours first in each place. */
enum Implementation {

	POSTGRES_OURS(Place.POSTGRES, "ours, confirmed", true),

	POSTGRES_OURS_SENT(Place.POSTGRES, "ours, sent", true),

	POSTGRES_SPRING_INTEGRATION(Place.POSTGRES, "Spring Integration", true),

	POSTGRES_SHEDLOCK(Place.POSTGRES, "ShedLock", false),

	ZOOKEEPER_OURS(Place.ZOOKEEPER, "ours, confirmed", true),

	ZOOKEEPER_OURS_SENT(Place.ZOOKEEPER, "ours, sent", true),

	ZOOKEEPER_CURATOR(Place.ZOOKEEPER, "Curator InterProcessMutex", true),

	ZOOKEEPER_SPRING_INTEGRATION(Place.ZOOKEEPER, "Spring Integration", true);

	private final Place place;

	private final String label;

	private final boolean waits;

	Implementation(Place place, String label, boolean waits) {
		this.place = place;
		this.label = label;
		this.waits = waits;
	}

	Place place() {
		return this.place;
	}

	String label() {
		return this.label;
	}

	/** Whether it lets threads wait for each other. */
	boolean waits() {
		return this.waits;
	}

	Peer open(String address, int threads) {
		return switch (this) {
			case POSTGRES_OURS -> Databases.ours(address, threads, ReleaseMode.CONFIRMED);
			case POSTGRES_OURS_SENT -> Databases.ours(address, threads, ReleaseMode.SENT);
			case POSTGRES_SPRING_INTEGRATION -> Databases.springIntegration(address, threads);
			case POSTGRES_SHEDLOCK -> Databases.shedLock(address, threads);
			case ZOOKEEPER_OURS -> ZooKeepers.ours(address, ReleaseMode.CONFIRMED);
			case ZOOKEEPER_OURS_SENT -> ZooKeepers.ours(address, ReleaseMode.SENT);
			case ZOOKEEPER_CURATOR -> ZooKeepers.curator(address);
			case ZOOKEEPER_SPRING_INTEGRATION -> ZooKeepers.springIntegration(address);
		};
	}

	/** What keeps the locks. */
	enum Place {

		POSTGRES, ZOOKEEPER

	}

}
