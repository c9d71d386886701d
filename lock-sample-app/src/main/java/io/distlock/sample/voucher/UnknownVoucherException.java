package io.distlock.sample.voucher;

/** The shop never had this voucher. */
public class UnknownVoucherException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnknownVoucherException(String voucher) {
		super("There is no voucher '" + voucher + "'");
	}

}
