package io.distlock.reliability;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.distlock.reliability.rig.Checker;
import io.distlock.reliability.rig.Grant;
import io.distlock.reliability.rig.Grant.Ending;
import io.distlock.reliability.rig.History;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A judge who lets things pass proves nothing. */
class CheckerTests {

	private final List<Grant> grants = new ArrayList<>();

	@Test
	void judgeWhenBeliefsFollowEachOtherThenAccepts() {
		add(0, 100, 10, 20);
		add(1, 101, 20, 30);
		add(0, 102, 31, 40);
		assertThat(ended(Map.of()).violations()).isEmpty();
		assertThat(ended(Map.of()).grants()).isEqualTo(3);
	}

	@Test
	void judgeWhenBeliefsOverlapThenRefuses() {
		add(0, 100, 10, 21);
		add(1, 101, 20, 30);
		assertThat(judged().overlaps()).singleElement().asString().contains("Two believe for 1 ns");
	}

	@Test
	void judgeWhenLongBeliefSpansSeveralThenRefusesEach() {
		add(0, 100, 10, 50);
		add(1, 101, 20, 30);
		add(1, 102, 35, 40);
		assertThat(judged().overlaps()).hasSize(2);
	}

	@Test
	void judgeWhenKeysDifferThenAcceptsOverlap() {
		this.grants.add(new Grant(0, 1, 100, 0, 10, 30, Ending.ordinary(30)));
		this.grants.add(new Grant(1, 2, 100, 0, 20, 40, Ending.ordinary(40)));
		assertThat(judged().violations()).isEmpty();
	}

	@Test
	void judgeWhenTokenGoesBackOrRepeatsThenRefuses() {
		add(0, 100, 10, 20);
		add(1, 99, 20, 30);
		add(0, 99, 31, 40);
		assertThat(judged().tokens()).hasSize(3)
			.anySatisfy((text) -> assertThat(text).contains("went back"))
			.anySatisfy((text) -> assertThat(text).contains("twice"));
	}

	@Test
	void judgeWhenGrantWasOverBeforeItWasSeenThenItsTokenHasNoPlaceButMustBeItsOwn() {
		add(0, 101, 10, 20);
		this.grants.add(new Grant(1, 0, 100, 0, 15, 15, Ending.ordinary(25)));
		assertThat(judged().violations()).isEmpty();
		this.grants.add(new Grant(1, 0, 101, 0, 16, 16, Ending.ordinary(26)));
		assertThat(judged().tokens()).hasSize(1);
	}

	@Test
	void judgeWhenReadersOverlapThenAcceptsButNotBesideAWriter() {
		share(0, 100, 10, 40, Sharing.SHARED);
		share(0, 100, 15, 30, Sharing.SHARED);
		share(1, 164, 20, 50, Sharing.SHARED);
		assertThat(judged().violations()).isEmpty();
		add(2, 300, 49, 60);
		assertThat(judged().overlaps()).singleElement().asString().contains("Two believe for 1 ns");
	}

	@Test
	void judgeWhenReaderHasTokenOfAnEarlierWriterOrOfAnotherProcessThenRefuses() {
		add(0, 200, 10, 20);
		share(1, 199, 20, 30, Sharing.SHARED);
		share(2, 199, 20, 30, Sharing.SHARED);
		assertThat(judged().tokens()).hasSize(3)
			.anySatisfy((text) -> assertThat(text).contains("went back"))
			.anySatisfy((text) -> assertThat(text).contains("twice"));
	}

	@Test
	void judgeWhenPermitsAreNotMoreThanThereAreThenAcceptsTheirTokensInAnyOrder() {
		Sharing two = new Sharing.Permit(2);
		share(0, 200, 10, 30, two);
		share(1, 100, 10, 20, two);
		share(1, 101, 20, 40, two);
		assertThat(judged().violations()).isEmpty();
		share(2, 300, 29, 50, two);
		assertThat(judged().overlaps()).singleElement().asString().contains("More believe than there are permits");
		share(2, 300, 50, 60, two);
		assertThat(judged().tokens()).singleElement().asString().contains("One token twice");
	}

	@Test
	void judgeForgetfulWhenTokenIsOfAnOlderBlockThenAcceptsButNotWhenItIsNew() {
		add(0, 100, 10, 20);
		add(1, 5000, 20, 30);
		add(0, 101, 31, 40);
		assertThat(judged().tokens()).hasSize(1);
		History history = new History(this.grants, Map.of(), Set.of(), Set.of(), 0);
		assertThat(Checker.judgeForgetful(history).tokens()).isEmpty();
		add(0, 4000, 41, 50);
		assertThat(Checker.judgeForgetful(history).tokens()).hasSize(1);
	}

	@Test
	void judgeWhenFencedRegisterRefusedHolderThenRefuses() {
		this.grants.add(new Grant(0, 0, 100, 0, 10, 20,
				new Ending(20, 21, true, false, true, true, false, false, Ending.NEVER)));
		assertThat(judged().overlaps()).singleElement().asString().contains("refused a holder");
	}

	@Test
	void judgeWhenLossWasNotToldThenRefuses() {
		this.grants.add(new Grant(0, 0, 100, 0, 10, 20,
				new Ending(25, 26, false, true, false, false, false, false, Ending.NEVER)));
		assertThat(judged().others()).singleElement().asString().contains("silence");
		assertThat(judged().losses()).isOne();
	}

	@Test
	void judgeWhenLossWasToldEitherWayThenAccepts() {
		this.grants.add(new Grant(0, 0, 100, 0, 10, 20,
				new Ending(25, 26, false, true, false, false, true, false, Ending.NEVER)));
		this.grants
			.add(new Grant(1, 0, 101, 0, 30, 40, new Ending(45, 46, false, true, false, false, false, false, 41)));
		assertThat(judged().violations()).isEmpty();
	}

	@Test
	void judgeWhenStoreForgotHolderThenCounts() {
		this.grants.add(
				new Grant(0, 0, 100, 0, 10, 20, new Ending(20, 26, true, true, false, true, true, true, Ending.NEVER)));
		assertThat(judged().forgotten()).isOne();
	}

	@Test
	void judgeEndedWhenGrantNeverEndedThenRefusesUnlessItsProcessWasKilled() {
		this.grants.add(new Grant(0, 0, 100, 0, 10, 20, Ending.NONE));
		assertThat(ended(Map.of()).others()).singleElement().asString().contains("Never ended");
		assertThat(ended(Map.of(0, 15L)).others()).isEmpty();
	}

	@Test
	void judgeEndedWhenWorkerIsMissingOrKeptSomethingThenRefuses() {
		History history = new History(this.grants, Map.of(), Set.of(0), Set.of(0), 0);
		assertThat(Checker.judgeEnded(history, 2).others()).hasSize(2)
			.anySatisfy((text) -> assertThat(text).contains("Worker 1 died"))
			.anySatisfy((text) -> assertThat(text).contains("Worker 0 kept"));
	}

	private void share(int worker, long token, long start, long until, Sharing sharing) {
		this.grants.add(new Grant(worker, 0, token, 0, start, until, sharing, Ending.ordinary(until)));
	}

	private void add(int worker, long token, long start, long until) {
		this.grants.add(new Grant(worker, 0, token, 0, start, until, Ending.ordinary(until)));
	}

	private Checker.Verdict judged() {
		return Checker.judge(new History(this.grants, Map.of(), Set.of(), Set.of(), 0));
	}

	private Checker.Verdict ended(Map<Integer, Long> killed) {
		return Checker.judgeEnded(new History(this.grants, killed, Set.of(0, 1), Set.of(), 0), 2);
	}

}
