package io.distlock.spi;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The values whose equality is written by hand. */
class ValueEqualityTests {

	@Test
	void requestsAreEqualIfAllTheirPartsAre() {
		RequestId request = new RequestId("a", 1, 7);
		assertThat(request).isEqualTo(new RequestId("a", 1, 7)).hasSameHashCodeAs(new RequestId("a", 1, 7));
		assertThat(List.of(new RequestId("b", 1, 7), new RequestId("a", 2, 7), new RequestId("a", 1, 8)))
			.doesNotContain(request);
		assertThat(request).isNotEqualTo("a.1");
	}

	@Test
	void sharingIsEqualIfItsKindAndNumberAre() {
		Sharing permit = new Sharing.Permit(2);
		assertThat(permit).isEqualTo(new Sharing.Permit(2)).hasSameHashCodeAs(new Sharing.Permit(2));
		assertThat(permit).isNotEqualTo(new Sharing.Permit(1)).isNotEqualTo(new Sharing.Shared());
		assertThat(new Sharing.Shared()).isEqualTo(new Sharing.Shared()).isNotEqualTo(new Sharing.Exclusive());
		assertThat(new Sharing.Shared()).hasSameHashCodeAs(new Sharing.Shared());
		assertThat(new Sharing.Exclusive()).isEqualTo(new Sharing.Exclusive()).isNotEqualTo(permit);
		assertThat(new Sharing.Exclusive()).hasSameHashCodeAs(new Sharing.Exclusive());
	}

}
