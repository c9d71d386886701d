package io.distlock.sample.voucher;

/**
 * A user's claim to a voucher. Its text is the key of a lock,
 * {@code Claim[voucher=summer,
 * user=ann]}.
 *
 * @param voucher the voucher
 * @param user who wants it
 */
public record Claim(String voucher, String user) {

	/**
	 * Refuses blank names.
	 */
	public Claim {
		if (voucher.isBlank() || user.isBlank()) {
			throw new IllegalArgumentException("Voucher and user must not be blank");
		}
	}

}
