package io.distlock.zookeeper;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessSessionTests {

	@Test
	void theClockOfTheLeaderStaysUnlessAnAnswerContradictsIt() {
		ProcessSession.Ahead ahead = new ProcessSession.Ahead(0).adjusted(5000, 100, 110);
		assertThat(ahead.millis()).isEqualTo(4890);
		assertThat(ahead.adjusted(5200, 300, 620)).as("a slow answer").isEqualTo(ahead);
		assertThat(ahead.adjusted(6100, 1200, 1210)).as("a fast one").isEqualTo(ahead);
		assertThat(ahead.adjusted(9000, 1300, 1310).millis()).as("another leader").isEqualTo(7690);
		assertThat(ahead.adjusted(1000, 1300, 1310).millis()).as("another leader").isEqualTo(-300);
	}

}
