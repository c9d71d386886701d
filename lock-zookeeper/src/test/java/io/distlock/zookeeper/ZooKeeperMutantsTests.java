package io.distlock.zookeeper;

import java.nio.file.Path;
import java.util.List;

import io.distlock.output.SourceMutant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Mistakes in the store on ZooKeeper, each of which a test notices. */
class ZooKeeperMutantsTests {

	private static final Path SOURCES = Path.of("src", "main", "java");

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					life | operations.addAll(List.of()); | ZooKeeperLockRecordsTests | writeWhenDeletedAndCreatedAgainThenOldVersionsLose
					reads-first | return false; | HandOverTransactionsTests | lockGoesFromProcessToProcessWithTwoTransactions
					long-messages | if (false) { | WritesWithMessagesTests | messagesThatAreTooLongAreLeftOut
					damaged | boolean damaged = false; | ForeignZnodesTests | lockWhoseZnodeHasLostItsChildSaysWhatToDelete
					half-over | boolean old = false; | SessionBeliefTests | whatIsBelievedOfASessionThatMayBeHalfOverIsNotLostAgain
					pings | long proven = answered + timeout; | SessionBeliefTests | theBeliefEndsBeforeTheLeaderExpiresTheSession
					""")
	void mistakeIsNoticed(String mutant, String replacement, String test, String method) {
		assertThat(new SourceMutant(List.of(SOURCES), mutant, replacement).failures("io.distlock.zookeeper." + test,
				method))
			.isNotEmpty();
	}

}
