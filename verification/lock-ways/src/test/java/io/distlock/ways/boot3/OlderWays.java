package io.distlock.ways.boot3;

import java.util.stream.Stream;

import io.distlock.DistributedLock;
import io.distlock.ways.TestedWays;
import io.distlock.ways.TestedWays.TestOfWork;
import io.distlock.ways.Way;
import io.distlock.ways.Witness;

import org.springframework.boot.test.mock.mockito.MockBean;
import org.springframework.boot.test.mock.mockito.SpyBean;
import org.springframework.context.annotation.Import;

import static org.mockito.BDDMockito.given;

/** What Spring Boot 4 does not have. */
@SuppressWarnings("removal")
public final class OlderWays {

	private OlderWays() {
	}

	/** Returns the ways. */
	public static Stream<Way> ways() {
		return Stream.of(
				Way.of("The bean", "is replaced by `@MockBean`")
					.older()
					.replaced()
					.runs(TestedWays.test(WithMock::new)),
				Way.of("The bean", "is behind `@SpyBean`").older().runs(TestedWays.test(WithSpy::new)));
	}

	static class Work {

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	@Import(Work.class)
	static class WithMock extends TestOfWork {

		@MockBean
		private Work work;

		@Override
		protected void run() {
			given(this.work.work()).willAnswer((call) -> Witness.work());
			this.work.work();
		}

	}

	@Import(Work.class)
	static class WithSpy extends TestOfWork {

		@SpyBean
		private Work work;

		@Override
		protected void run() {
			this.work.work();
		}

	}

}
