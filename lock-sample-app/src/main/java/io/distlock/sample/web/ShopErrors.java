package io.distlock.sample.web;

import io.distlock.LockBusyException;
import io.distlock.LockLostException;
import io.distlock.LockStoreException;
import io.distlock.sample.stock.SoldOutException;
import io.distlock.sample.stock.UnknownItemException;
import io.distlock.sample.voucher.AlreadyOrderedException;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Tells callers apart what they can do: another attempt helps when the lock was busy or
 * the store was away, not when the answer is no.
 */
@RestControllerAdvice
class ShopErrors {

	@ExceptionHandler({ LockBusyException.class, SoldOutException.class, AlreadyOrderedException.class })
	ProblemDetail conflict(RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, ex.getMessage());
	}

	@ExceptionHandler({ LockStoreException.class, DataAccessResourceFailureException.class,
			QueryTimeoutException.class })
	ProblemDetail unavailable(RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, ex.getMessage());
	}

	/** Something may have been sold: this is not an invitation to try again. */
	@ExceptionHandler(LockLostException.class)
	ProblemDetail uncertain(LockLostException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.INTERNAL_SERVER_ERROR, ex.getMessage());
	}

	@ExceptionHandler(UnknownItemException.class)
	ProblemDetail notFound(UnknownItemException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, ex.getMessage());
	}

	@ExceptionHandler(IllegalArgumentException.class)
	ProblemDetail badRequest(IllegalArgumentException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, ex.getMessage());
	}

}
