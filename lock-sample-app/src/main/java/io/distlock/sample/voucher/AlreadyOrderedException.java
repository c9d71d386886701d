package io.distlock.sample.voucher;

/** The user has this voucher already. */
public class AlreadyOrderedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	AlreadyOrderedException(Claim claim) {
		super("User '" + claim.user() + "' has already ordered voucher '" + claim.voucher() + "'");
	}

}
