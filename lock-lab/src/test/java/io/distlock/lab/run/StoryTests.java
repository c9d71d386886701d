package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.run.Moment.Change;
import io.distlock.lab.strategy.Staircase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Times are milliseconds; caller 1 is in node 1, caller 7 in node 2. */
class StoryTests {

	private final List<StoryNote> notes = new ArrayList<>();

	private Story story = story("owner-lua", Fault.FREEZE_HOLDER);

	private Story story(String strategy, Fault fault) {
		this.notes.clear();
		return new Story(Staircase.find(strategy).orElseThrow(), fault, 100, 0, this.notes::add);
	}

	@Test
	void explanationWhenHolderWritesAfterItsLeaseThenNamesBothAndWhatWasWrittenOverWhat() {
		enter(1, 100, "");
		trapped(1, 105);
		change(1, 110, Change.FROZEN);
		enter(7, 2105, "");
		wrote(7, 2110, 40, 41);
		leave(7, 2111);
		change(1, 2400, Change.THAWED);
		wrote(1, 2410, 40, 39);
		assertThat(told()).containsExactly("granted 1", "frozen 1", "lease-ended 1", "granted 7", "wrote-over 1");
		assertThat(value("lease-ended", "while")).isEqualTo("frozen");
		assertThat(note("lease-ended").at()).isEqualTo(2100);
		assertThat(note("wrote-over").values()).isEqualTo(Map.of("value", 40, "over", 39, "read", 41));
	}

	@Test
	void explanationWhenNextHolderIsFasterThanTheComputedEndThenLeaseEndsBeforeIt() {
		enter(1, 100, "");
		trapped(1, 105);
		enter(7, 2095, "");
		assertThat(note("lease-ended").at()).isEqualTo(2095);
		assertThat(value("lease-ended", "while")).isEqualTo("working");
	}

	@Test
	void explanationWhenLeaseWasRenewedThenItEndsLater() {
		this.story = story("hash-renewed", Fault.FREEZE_HOLDER);
		enter(1, 100, "");
		trapped(1, 105);
		add(Kind.RENEWED, 1, 1500, 0, 0, "");
		change(1, 1600, Change.FROZEN);
		enter(7, 3500, "");
		assertThat(told()).startsWith("granted 1");
		assertThat(note("lease-ended").at()).isEqualTo(3500);
		assertThat(value("renewed", "count")).isEqualTo(1);
	}

	@Test
	void explanationWhenRenewalIsAnsweredWithNoThenItIsNoRenewal() {
		this.story = story("guarded-redis", Fault.RESTART_REDIS);
		enter(1, 100, "4");
		trapped(1, 105);
		add(Kind.RENEWED, 1, 700, 0, 0, "");
		add(Kind.LOST, 1, 701, 0, 0, "TAKEN");
		add(Kind.ABANDON, 1, 702, 0, 0, "");
		assertThat(this.notes).extracting(StoryNote::kind).doesNotContain("renewed");
		assertThat(told()).containsExactly("granted 1", "told-lost 1", "gave-up 1");
		assertThat(note("told-lost").values()).isEqualTo(Map.of("reason", "TAKEN", "token", "4"));
	}

	@Test
	void explanationWhenLockWasHandedOverThenItsFirstLeaseIsShorterThanTheOthers() {
		this.story = story("guarded-redis", Fault.FREEZE_HOLDER);
		enter(1, 100, "4");
		trapped(1, 105);
		change(1, 110, Change.FROZEN);
		enter(7, 1610, "5");
		change(1, 2600, Change.THAWED);
		add(Kind.ABANDON, 1, 2610, 0, 0, "");
		add(Kind.LOST, 1, 2611, 0, 0, "UNCONFIRMED");
		assertThat(told()).containsExactly("frozen 1", "lease-ended 1", "granted 7", "gave-up 1", "told-lost 1");
		assertThat(note("lease-ended").at()).isEqualTo(1610);
	}

	@Test
	void explanationWhenLateWriteIsRefusedThenNamesBothTokens() {
		this.story = story("fenced-writes", Fault.FREEZE_HOLDER);
		enter(1, 100, "4");
		trapped(1, 105);
		change(1, 110, Change.FROZEN);
		enter(7, 1610, "5");
		leave(7, 1620);
		change(1, 2600, Change.THAWED);
		add(Kind.REFUSED, 1, 2610, 0, 0, "4");
		add(Kind.ABANDON, 1, 2611, 0, 0, "");
		add(Kind.LOST, 1, 2612, 0, 0, "UNCONFIRMED");
		assertThat(told()).containsExactly("frozen 1", "lease-ended 1", "granted 7", "refused 1", "told-lost 1");
	}

	@Test
	void explanationWhenHolderDeletesTheLockOfAnotherThenNamesBoth() {
		this.story = story("check-then-delete", Fault.FREEZE_HOLDER);
		enter(1, 100, "");
		wrote(1, 105, 40, 41);
		leave(1, 106);
		add(Kind.TRAPPED, 1, 107, 1, 0, "");
		change(1, 110, Change.FROZEN);
		enter(7, 2107, "");
		change(1, 2300, Change.THAWED);
		enter(2, 2310, "");
		assertThat(told()).containsExactly("frozen 1", "lease-ended 1", "granted 7", "lock-deleted 7", "granted 2");
		assertThat(note("lock-deleted").values()).isEqualTo(Map.of("by", 1, "byNode", "node-1"));
	}

	@Test
	void explanationWhenScriptOnlyDeletesTheOwnLockThenNobodyDeletedThatOfAnother() {
		enter(1, 100, "");
		trapped(1, 105);
		enter(7, 2105, "");
		leave(1, 2200);
		enter(2, 2300, "");
		assertThat(this.notes).extracting(StoryNote::kind).doesNotContain("lock-deleted");
	}

	@Test
	void explanationWhenServerForgotTheLockThenSaysSo() {
		this.story = story("owner-lua", Fault.RESTART_REDIS);
		enter(1, 100, "");
		trapped(1, 105);
		this.story.take(new Moment(0, 110_000, null, Change.FAULT_BEGAN));
		enter(7, 300, "");
		wrote(7, 310, 40, 41);
		wrote(1, 400, 40, 40);
		assertThat(told()).contains("lock-forgotten 1").endsWith("wrote-over 1");
		assertThat(value("lock-forgotten", "fault")).isEqualTo("restart-redis");
	}

	@Test
	void explanationWhenLockHasNoLeaseThenNoneEnds() {
		this.story = story("setnx-del", Fault.KILL_HOLDER);
		enter(1, 100, "");
		trapped(1, 105);
		change(1, 110, Change.KILLED);
		this.story.stuck(9_000_000, 3, new KeySample(9000, "lab:lock", "1", -1L, null, 41));
		assertThat(told()).containsExactly("granted 1", "killed 1", "stuck null");
		assertThat(note("stuck").values())
			.isEqualTo(Map.of("waiting", 3, "owner", "1", "ownerState", "dead", "ttl", -1L));
	}

	@Test
	void explanationWhenNobodyDiedAndTheLockNamesItsOwnerThenThatWaitsForItself() {
		this.story = story("setnx-twice", Fault.NONE);
		this.story.stuck(9_000_000, 8, new KeySample(9000, "lab:lock", "1:3", -1L, null, 60));
		assertThat(value("stuck", "ownerState")).isEqualTo("waits-for-itself");
	}

	@Test
	void explanationWhenNobodyOverlapsAndAnItemIsSoldAgainThenNamesBothSellers() {
		this.story = story("lock-in-transaction", Fault.NONE);
		enter(1, 100, "1");
		add(Kind.SOLD, 1, 105, 41, 0, "");
		leave(1, 106);
		enter(7, 110, "2");
		add(Kind.SOLD, 7, 115, 41, 0, "");
		assertThat(told()).containsExactly("granted 1", "granted 7", "sold-again 7");
		assertThat(note("sold-again").values()).isEqualTo(Map.of("item", 41, "firstNode", "node-1", "firstCaller", 1));
	}

	@Test
	void explanationIsAtMostFiveNotesInOrderOfTime() {
		enter(1, 100, "");
		trapped(1, 105);
		change(1, 110, Change.FROZEN);
		for (int i = 0; i < 40; i++) {
			enter(7, 2105 + 10 * i, "");
			wrote(7, 2108 + 10 * i, 40 - i, 41 - i);
			leave(7, 2109 + 10 * i);
		}
		change(1, 2600, Change.THAWED);
		wrote(1, 2610, 40, 1);
		assertThat(this.story.explanation()).hasSize(5);
		assertThat(told()).endsWith("wrote-over 1");
		assertThat(this.notes).as("a large run is told in a few notes").hasSizeLessThan(40);
	}

	private List<String> told() {
		List<StoryNote> told = this.story.explanation().stream().map((id) -> this.notes.get(id - 1)).toList();
		assertThat(told).extracting(StoryNote::at).isSorted();
		return told.stream().map((note) -> note.kind() + " " + note.caller()).toList();
	}

	private StoryNote note(String kind) {
		return this.notes.stream().filter((note) -> note.kind().equals(kind)).findFirst().orElseThrow();
	}

	private Object value(String kind, String name) {
		return note(kind).values().get(name);
	}

	private void enter(int caller, long millis, String token) {
		add(Kind.ENTER, caller, millis, 0, 0, token);
	}

	private void trapped(int caller, long millis) {
		add(Kind.TRAPPED, caller, millis, 0, 0, "");
	}

	private void wrote(int caller, long millis, int value, int over) {
		add(Kind.WROTE, caller, millis, value, over, "");
	}

	private void leave(int caller, long millis) {
		add(Kind.LEAVE, caller, millis, 0, 0, "");
	}

	private void change(int node, long millis, Change change) {
		this.story.take(new Moment(node, millis * 1000, null, change));
	}

	private void add(Kind kind, int caller, long millis, int value, int extra, String text) {
		LabEvent event = new LabEvent(kind, caller, millis * 1000, value, extra, text);
		this.story.take(new Moment((caller < 5) ? 1 : 2, millis * 1000, event, null));
	}

}
