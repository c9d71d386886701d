package io.distlock.sample.voucher;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The voucher cannot be ordered now. */
public class VoucherClosedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private VoucherClosedException(String message) {
		super(message);
	}

	static VoucherClosedException soldOut(String voucher) {
		return new VoucherClosedException("Voucher '" + voucher + "' is sold out");
	}

	static VoucherClosedException before(String voucher, Instant begin) {
		return new VoucherClosedException(
				"Voucher '" + voucher + "' can be ordered from " + begin.truncatedTo(ChronoUnit.SECONDS));
	}

	static VoucherClosedException after(String voucher, Instant end) {
		return new VoucherClosedException(
				"Voucher '" + voucher + "' could be ordered until " + end.truncatedTo(ChronoUnit.SECONDS));
	}

}
