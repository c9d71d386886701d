package com.example.stock;

import org.junit.jupiter.api.Test;

import io.distlock.LockTemplate;
import io.distlock.boot.test.LockStub;

import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

// tag::unit[]
class LedgerUnitTests {

	private final Ledger ledger = mock();

	private final Stock stock = new Stock(this.ledger, mock(LockTemplate.class));

	@Test
	void saleIsBookedWithTheToken() {
		try (LockStub lock = LockStub.held("stock:book").token(7)) {
			this.stock.sell("book");
		}
		then(this.ledger).should().book("book", 7);
	}

}
// end::unit[]
