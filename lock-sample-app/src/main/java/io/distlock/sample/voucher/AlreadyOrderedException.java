package io.distlock.sample.voucher;

/** The user has this voucher already. */
public class AlreadyOrderedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	AlreadyOrderedException(String voucher, String user) {
		super("User '" + user + "' has already ordered voucher '" + voucher + "'");
	}

}
