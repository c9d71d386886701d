package io.distlock.lab.strategy;

import java.util.List;

/**
 * Where the servers of a run are.
 *
 * @param redis host and port of the Redis with the locks; of its Sentinel if a name is
 * given
 * @param master name of the master at the Sentinel, empty for none
 * @param shelf host and port of the Redis with the stock
 * @param redlock hosts and ports of the quorum
 * @param jdbc URL of the database, empty for none
 * @param user user of the database
 * @param password password of the user
 * @param zookeeper host and port, empty for none
 */
public record Places(String redis, String master, String shelf, List<String> redlock, String jdbc, String user,
		String password, String zookeeper) {

	@Override
	public String toString() {
		return "Places[redis=" + this.redis + ", shelf=" + this.shelf + "]";
	}

}
