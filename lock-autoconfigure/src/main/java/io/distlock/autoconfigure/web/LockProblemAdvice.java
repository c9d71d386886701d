package io.distlock.autoconfigure.web;

import java.time.Duration;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.distlock.LockBusyException;
import io.distlock.LockLostException;
import io.distlock.LockStoreException;
import io.distlock.StaleFencingTokenException;

/**
 * Answers a request whose handler threw an exception of a lock with a problem detail (RFC
 * 9457). The answer says whether another attempt makes sense and shows nothing of the
 * lock: no key, no holder, no server. Those are in the exception and in the log.
 * <p>
 * Has the lowest precedence: an {@code @ExceptionHandler} of the application for the same
 * exception wins. A bean of this type replaces the one of the auto-configuration; a
 * subclass may change single answers.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public class LockProblemAdvice {

	private final Duration retryAfter;

	/**
	 * Creates an advice.
	 * @param retryAfter what {@code Retry-After} says if another attempt makes sense,
	 * rounded up to seconds; zero or less leaves the header out
	 */
	public LockProblemAdvice(Duration retryAfter) {
		this.retryAfter = retryAfter;
	}

	/**
	 * Answers a request whose lock was busy: 409, or 503 if too many callers waited for
	 * it already.
	 * @param ex the exception
	 * @return the answer, with {@code Retry-After}
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> busy(LockBusyException ex) {
		return ex.tooManyWaiters()
				? retry(HttpStatus.SERVICE_UNAVAILABLE, "Too many requests wait for the same resource.")
				: retry(HttpStatus.CONFLICT, "Another request is using the same resource.");
	}

	/**
	 * Answers a request for which the lock's store did not answer: 503.
	 * @param ex the exception
	 * @return the answer, with {@code Retry-After}
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> storeFailure(LockStoreException ex) {
		return retry(HttpStatus.SERVICE_UNAVAILABLE, "A service that this request depends on is not available.");
	}

	/**
	 * Answers a request whose lock was lost while it ran: 500. Part of its work may have
	 * been done, so the answer does not invite to another attempt.
	 * @param ex the exception
	 * @return the answer
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> lost(LockLostException ex) {
		return uncertain();
	}

	/**
	 * Answers a request whose write a fenced resource refused, because its lock had been
	 * lost: 500.
	 * @param ex the exception
	 * @return the answer
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> stale(StaleFencingTokenException ex) {
		return uncertain();
	}

	private ResponseEntity<ProblemDetail> retry(HttpStatus status, String detail) {
		ResponseEntity.BodyBuilder answer = ResponseEntity.status(status);
		if (this.retryAfter.compareTo(Duration.ZERO) > 0) {
			long seconds = this.retryAfter.plusSeconds(1).minusNanos(1).toSeconds();
			answer.header(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
		}
		return answer.body(ProblemDetail.forStatusAndDetail(status, detail + " Try again later."));
	}

	private ResponseEntity<ProblemDetail> uncertain() {
		HttpStatus status = HttpStatus.INTERNAL_SERVER_ERROR;
		return ResponseEntity.status(status)
			.body(ProblemDetail.forStatusAndDetail(status,
					"The request was interrupted and may be incomplete. Check its result before another attempt."));
	}

}
