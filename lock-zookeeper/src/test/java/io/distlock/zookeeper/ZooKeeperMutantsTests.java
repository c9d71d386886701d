package io.distlock.zookeeper;

import java.nio.file.Path;
import java.util.List;

import io.distlock.output.Mutants;
import io.distlock.output.SourceMutant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Mistakes in the store on ZooKeeper, each of which a test notices. */
@Mutants
class ZooKeeperMutantsTests {

	private static final List<Path> SOURCES = List.of(Path.of("src", "main", "java"));

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					identity | RecordWrite | operations.add(Op.check(child, -1)); | '' | ZooKeeperLockRecordsTests | writeWhenDeletedAndCreatedAgainThenOldVersionsLose
					reads-first | ZooKeeperLockRecords | return change.expected() instanceof Expected.Free && this.taken.isTaken(change.key()); | return false; | HandOverTransactionsTests | lockGoesFromProcessToProcessWithTwoTransactions
					long-messages | RecordWrite | message.text().length() > LONGEST_MESSAGE | false | WritesWithMessagesTests | messagesThatAreTooLongAreLeftOut
					damaged | RecordWrite | found.filter((node) -> isOf(node, before)).isPresent() | false | ForeignZnodesTests | lockWhoseZnodeHasLostItsChildSaysWhatToDelete
					one-folder | Znodes | Math.floorMod(name.hashCode(), SPREAD) | 0 | ManyLocksTests | manyLocksAreListedAndSwept
					long-names | Calls | (many <= MOST_NAMES) | (many >= 0) | ManyLocksTests | aFolderWithTooManyNamesIsNotListed
					half-over | SessionBelief | sent - this.reported > timeout / 2 | false | SessionBeliefTests | whatIsBelievedOfASessionThatMayBeHalfOverIsNotLostAgain
					pings | SessionBelief | this.reported + timeout - 2 * ClockDrift.of(timeout) | answered + timeout | SessionBeliefTests | theBeliefEndsBeforeTheLeaderExpiresTheSession
					""")
	void mistakeIsNoticed(String mutant, String type, String original, String mistake, String test, String method) {
		assertThat(new SourceMutant(SOURCES, type, original, mistake).failures("io.distlock.zookeeper." + test, method))
			.isNotEmpty();
	}

}
