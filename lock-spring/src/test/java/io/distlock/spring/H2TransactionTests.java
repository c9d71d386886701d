package io.distlock.spring;

class H2TransactionTests extends AbstractTransactionTests {

	@Override
	protected String url() {
		return "jdbc:h2:mem:transactions;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
	}

}
