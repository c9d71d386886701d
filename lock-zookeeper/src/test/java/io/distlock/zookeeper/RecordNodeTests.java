package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RecordNodeTests {

	@Test
	void whatIsWrittenIsRead() {
		RecordNode node = new RecordNode("0123456789abcdef", true, 42, Long.MAX_VALUE, "1|text;|");
		assertThat(RecordNode.of(node.data())).isEqualTo(node);
	}

	@Test
	void whatSomethingElseWroteIsRefused() {
		for (String foreign : List.of("", "127.0.0.1", "2 identity 0 1 2\ntext", "1 identity 0 1\ntext",
				"1 a/b 0 1 2\ntext", "1 identity 0 x 2\ntext")) {
			assertThatIllegalArgumentException().as(foreign)
				.isThrownBy(() -> RecordNode.of(foreign.getBytes(StandardCharsets.US_ASCII)));
		}
	}

}
