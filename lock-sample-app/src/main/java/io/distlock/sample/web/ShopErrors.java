package io.distlock.sample.web;

import io.distlock.sample.stock.SoldOutException;
import io.distlock.sample.stock.UnknownItemException;
import io.distlock.sample.voucher.AlreadyOrderedException;
import io.distlock.sample.voucher.UnknownVoucherException;
import io.distlock.sample.voucher.VoucherClosedException;
import io.distlock.spring.LockKeyException;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers what the shop itself refuses. Locks that are busy, lost or not available are
 * answered by the auto-configuration.
 */
@RestControllerAdvice
class ShopErrors {

	@ExceptionHandler({ SoldOutException.class, AlreadyOrderedException.class, VoucherClosedException.class })
	ProblemDetail conflict(RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, ex.getMessage());
	}

	@ExceptionHandler({ DataAccessResourceFailureException.class, QueryTimeoutException.class })
	ProblemDetail unavailable(RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "The shelf does not answer.");
	}

	@ExceptionHandler({ UnknownItemException.class, UnknownVoucherException.class })
	ProblemDetail notFound(RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, ex.getMessage());
	}

	/** The keys of stock and prices are the item that the request names. */
	@ExceptionHandler(LockKeyException.class)
	ProblemDetail badName(LockKeyException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, "The item must not be blank.");
	}

	@ExceptionHandler(IllegalArgumentException.class)
	ProblemDetail badRequest(IllegalArgumentException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
	}

}
