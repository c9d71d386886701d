package io.distlock.benchmark.scenario;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the figures of holders that are there together rest on. */
class OccupancyTests {

	@Test
	void readersMayBeTogether() {
		Occupancy occupancy = Occupancy.ofReadersAndWriters();
		occupancy.enter(false);
		occupancy.enter(false);
		assertThat(occupancy.violations()).isZero();
	}

	@Test
	void writerAmongReadersIsSeen() {
		Occupancy occupancy = Occupancy.ofReadersAndWriters();
		occupancy.enter(false);
		occupancy.enter(true);
		assertThat(occupancy.violations()).isOne();
	}

	@Test
	void readerBesideWriterIsSeenUntilTheWriterLeaves() {
		Occupancy occupancy = Occupancy.ofReadersAndWriters();
		Runnable writer = occupancy.enter(true);
		occupancy.enter(false).run();
		assertThat(occupancy.violations()).isOne();
		writer.run();
		occupancy.enter(false);
		assertThat(occupancy.violations()).isOne();
	}

	@Test
	void oneMoreThanThePermitsIsSeen() {
		Occupancy occupancy = Occupancy.ofPermits(2);
		occupancy.enter(false);
		occupancy.enter(false);
		assertThat(occupancy.violations()).isZero();
		occupancy.enter(false);
		assertThat(occupancy.violations()).isOne();
	}

}
