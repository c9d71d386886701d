package com.example.shop;

/** Thrown if a user has claimed all vouchers of the day. */
class DailyLimitException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	DailyLimitException(long user) {
		super("User " + user + " has claimed all vouchers of today");
	}

}
