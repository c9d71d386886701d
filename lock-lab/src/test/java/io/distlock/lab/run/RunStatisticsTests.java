package io.distlock.lab.run;

import io.distlock.lab.run.Moment.Change;
import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.LabEvent.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunStatisticsTests {

	private final RunStatistics statistics = new RunStatistics(2, 1);

	private final EventOrder order = new EventOrder(2, this.statistics::take);

	@Test
	void sectionsOneAfterTheOtherDoNotOverlapInWhateverOrderTheyArrive() {
		add(2, Kind.ENTER, 7, 200, 0);
		add(2, Kind.LEAVE, 7, 300, 0);
		this.order.add(2, new LabEvent(Kind.HEARTBEAT, -1, 400, 0, 0));
		this.order.advance();
		assertThat(this.statistics.result().micros()).as("node 1 may still report something earlier").isZero();
		add(1, Kind.ENTER, 1, 100, 0);
		add(1, Kind.LEAVE, 1, 199, 0);
		this.order.add(1, new LabEvent(Kind.HEARTBEAT, -1, 400, 0, 0));
		this.order.advance();
		assertThat(this.statistics.result().overlaps()).isZero();
		assertThat(this.statistics.takeSections()).hasSize(2).noneMatch(RunStatistics.Closed::overlap);
	}

	@Test
	void sectionsAtTheSameTimeOverlapForAsLongAsBothLast() {
		add(1, Kind.ENTER, 1, 100, 0);
		add(2, Kind.ENTER, 7, 150, 0);
		add(1, Kind.LEAVE, 1, 400, 0);
		add(2, Kind.LEAVE, 7, 500, 0);
		this.order.finish();
		assertThat(this.statistics.result().overlaps()).isEqualTo(1);
		assertThat(this.statistics.result().longestMicros()).isEqualTo(250);
		assertThat(this.statistics.takeSections()).hasSize(2).allMatch(RunStatistics.Closed::overlap);
	}

	@Test
	void asManyAsMayBeInsideDoNotOverlap() {
		RunStatistics three = new RunStatistics(1, 3);
		EventOrder events = new EventOrder(1, three::take);
		for (int caller = 1; caller <= 4; caller++) {
			events.add(1, new LabEvent(Kind.ENTER, caller, 100 + caller, 0, 0));
			if (caller == 3) {
				events.add(1, new LabEvent(Kind.HEARTBEAT, -1, 103, 0, 0));
				events.advance();
				assertThat(three.result().overlaps()).isZero();
				assertThat(three.inside()).isEqualTo(3);
			}
		}
		events.finish();
		assertThat(three.result().overlaps()).isEqualTo(1);
	}

	@Test
	void frozenCallerThatWritesLaterWasInsideWithTheOthersAfterItWokeUp() {
		freezeCallerOneWhileSevenIsInside(900);
		add(1, Kind.LEAVE, 1, 850, 0);
		this.order.finish();
		assertThat(this.statistics.result().overlaps()).isEqualTo(1);
		assertThat(this.statistics.result().longestMicros()).isEqualTo(50);
	}

	@Test
	void frozenCallerThatLeavesWithoutWritingWasInsideUntilItFroze() {
		freezeCallerOneWhileSevenIsInside(900);
		add(1, Kind.ABANDON, 1, 850, 0);
		this.order.finish();
		assertThat(this.statistics.result().overlaps()).isZero();
		assertThat(this.statistics.takeSections()).anySatisfy((section) -> {
			assertThat(section.caller()).isEqualTo(1);
			assertThat(section.counted()).isEqualTo(200);
			assertThat(section.to()).isEqualTo(850);
			assertThat(section.frozenTo()).isEqualTo(800);
			assertThat(section.end()).isEqualTo(RunStatistics.End.GAVE_UP);
		});
	}

	@Test
	void frozenCallerThatMeetsNobodyAfterItWokeUpDoesNotOverlap() {
		freezeCallerOneWhileSevenIsInside(700);
		add(1, Kind.LEAVE, 1, 850, 0);
		this.order.finish();
		assertThat(this.statistics.result().overlaps()).isZero();
	}

	/** It is frozen from 200 to 800, the other is inside from 500 on. */
	private void freezeCallerOneWhileSevenIsInside(long until) {
		add(1, Kind.ENTER, 1, 100, 0);
		this.order.change(1, 200, Change.FROZEN);
		add(2, Kind.ENTER, 7, 500, 0);
		this.order.change(1, 800, Change.THAWED);
		add(2, Kind.LEAVE, 7, until, 0);
	}

	@Test
	void callerThatLeavesWithoutWritingWasInsideUntilItWasToldOfTheLoss() {
		tellCallerOneBeforeSevenComesIn();
		add(1, Kind.ABANDON, 1, 400, 0);
		this.order.finish();
		assertThat(this.statistics.result().overlaps()).isZero();
		assertThat(this.statistics.takeOverlaps()).isEmpty();
		assertThat(this.statistics.takeSections()).hasSize(2).noneMatch(RunStatistics.Closed::overlap);
	}

	@Test
	void callerThatWritesAlthoughItWasToldOfTheLossWasInsideWithTheOthers() {
		tellCallerOneBeforeSevenComesIn();
		add(1, Kind.LEAVE, 1, 400, 0);
		this.order.finish();
		assertThat(this.statistics.result().overlaps()).isEqualTo(1);
		assertThat(this.statistics.result().longestMicros()).isEqualTo(100);
		assertThat(this.statistics.takeSections()).filteredOn((section) -> section.caller() == 1)
			.singleElement()
			.matches(RunStatistics.Closed::overlap)
			.extracting(RunStatistics.Closed::counted)
			.isEqualTo(400L);
	}

	@Test
	void callerThatIsToldAfterAnotherCameInOverlapsUntilThen() {
		add(1, Kind.ENTER, 1, 100, 0);
		add(2, Kind.ENTER, 7, 150, 0);
		add(1, Kind.LOST, 1, 200, 0);
		add(1, Kind.ABANDON, 1, 300, 0);
		add(2, Kind.LEAVE, 7, 400, 0);
		this.order.finish();
		assertThat(this.statistics.result().overlaps()).isEqualTo(1);
		assertThat(this.statistics.result().longestMicros()).isEqualTo(50);
	}

	/** It is told at 200, the other is inside from 250 to 350. */
	private void tellCallerOneBeforeSevenComesIn() {
		add(1, Kind.ENTER, 1, 100, 0);
		add(1, Kind.LOST, 1, 200, 0);
		add(2, Kind.ENTER, 7, 250, 0);
		add(2, Kind.LEAVE, 7, 350, 0);
	}

	@Test
	void killedCallerIsNotInsideAnyMore() {
		add(1, Kind.ENTER, 1, 100, 0);
		this.order.change(1, 200, Change.KILLED);
		add(2, Kind.ENTER, 7, 201, 0);
		add(2, Kind.LEAVE, 7, 300, 0);
		this.order.add(2, new LabEvent(Kind.HEARTBEAT, -1, 400, 0, 0));
		this.order.advance();
		assertThat(this.statistics.result().overlaps()).isZero();
		assertThat(this.statistics.takeSections()).hasSize(2);
	}

	@Test
	void callerThatCameInWhileItsProcessWasKilledIsNotInside() {
		this.order.change(1, 200, Change.KILLED);
		add(1, Kind.ENTER, 1, 201, 0);
		add(2, Kind.ENTER, 7, 202, 0);
		this.order.finish();
		assertThat(this.statistics.inside()).isEqualTo(1);
		assertThat(this.statistics.result().overlaps()).isZero();
	}

	@Test
	void callerThatCameInWhileItsProcessWasKilledAndMetAnotherOverlapped() {
		add(2, Kind.ENTER, 7, 199, 0);
		this.order.change(1, 200, Change.KILLED);
		add(1, Kind.ENTER, 1, 201, 0);
		this.order.finish();
		assertThat(this.statistics.result().overlaps()).isEqualTo(1);
	}

	@Test
	void itemThatIsSoldTwiceIsADoubleAndAStockThatDoesNotFallIsOversold() {
		add(1, Kind.SOLD, 1, 100, 10);
		add(2, Kind.SOLD, 7, 101, 10);
		add(2, Kind.SOLD, 7, 102, 9);
		this.order.finish();
		RunStatistics.Result result = this.statistics.result();
		assertThat(result.doubles()).isEqualTo(1);
		assertThat(result.oversold(10, 8)).isEqualTo(1);
		assertThat(result.lost(10, 8)).isZero();
		assertThat(result.oversold(10, 6)).isZero();
		assertThat(result.lost(10, 6)).isEqualTo(1);
	}

	@Test
	void waitingIsThatOfEntriesOrWithoutEntriesThatOfSales() {
		this.order.add(1, new LabEvent(Kind.SOLD, 1, 100, 5, 3000));
		this.order.add(1, new LabEvent(Kind.SOLD, 1, 101, 4, 1000));
		this.order.finish();
		assertThat(this.statistics.result().waiting()).isEqualTo(new Waiting(1, 3, 3));
		RunStatistics other = new RunStatistics(1, 1);
		EventOrder events = new EventOrder(1, other::take);
		events.add(1, new LabEvent(Kind.ENTER, 1, 100, 2000, 0));
		events.add(1, new LabEvent(Kind.SOLD, 1, 101, 5, 9000));
		events.finish();
		assertThat(other.result().waiting().p99()).isEqualTo(2);
	}

	private void add(int node, Kind kind, int caller, long micros, int value) {
		this.order.add(node, new LabEvent(kind, caller, micros, value, 0));
	}

}
