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
 * 9457). The answer says whether another attempt makes sense. It shows no key, no holder
 * and no server. The exception and the log contain these details.
 * <p>
 * The advice has the lowest precedence, so an {@code @ExceptionHandler} of the
 * application for the same exception overrides it. A bean of this type replaces the bean
 * of the auto-configuration. A subclass may change single answers.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public class LockProblemAdvice {

	private final Duration retryAfter;

	/**
	 * Creates an advice.
	 * @param retryAfter the value of {@code Retry-After} if another attempt makes sense,
	 * rounded up to seconds; zero or less omits the header
	 */
	public LockProblemAdvice(Duration retryAfter) {
		this.retryAfter = retryAfter;
	}

	/**
	 * Answers a request whose lock was busy: 409, or 503 if too many callers already
	 * waited for the lock.
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
	 * Answers a request whose lock store did not answer: 503.
	 * @param ex the exception
	 * @return the answer, with {@code Retry-After}
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> storeFailure(LockStoreException ex) {
		return retry(HttpStatus.SERVICE_UNAVAILABLE, "A service that this request depends on is not available.");
	}

	/**
	 * Answers a request whose lock was lost during the work: 500. Part of the work may be
	 * done, so the answer does not suggest another attempt.
	 * @param ex the exception
	 * @return the answer
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> lost(LockLostException ex) {
		return uncertain();
	}

	/**
	 * Answers a request whose write was refused by a fenced resource, because the lock
	 * had been lost: 500.
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
