package io.distlock.autoconfigure.tracing;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of locks. Timers and spans are made from them. */
public enum LockObservationDocumentation implements ObservationDocumentation {

	/** From the request for a lock to its grant or refusal. */
	ACQUIRE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultLockAcquireObservationConvention.class;
		}

	},

	/** From the grant of a lock to its release or loss. */
	HOLD {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultLockHoldObservationConvention.class;
		}

	};

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return LowCardinalityKeyNames.values();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return HighCardinalityKeyNames.values();
	}

	@Override
	public String getPrefix() {
		return "lock";
	}

	/** Values of meters and spans. */
	public enum LowCardinalityKeyNames implements KeyName {

		/** The id of the store. */
		STORE {

			@Override
			public String asString() {
				return "lock.store";
			}

		},

		/** The name of the lock, never its key. */
		NAME {

			@Override
			public String asString() {
				return "lock.name";
			}

		},

		/**
		 * The outcome: how the lock was granted, why it was refused, {@code released}, or
		 * the reason of a loss.
		 */
		OUTCOME {

			@Override
			public String asString() {
				return "lock.outcome";
			}

		}

	}

	/** Values of spans only. */
	public enum HighCardinalityKeyNames implements KeyName {

		/** The key of the lock. */
		KEY {

			@Override
			public String asString() {
				return "lock.key";
			}

		},

		/** The fencing token of the hold. */
		FENCING_TOKEN {

			@Override
			public String asString() {
				return "lock.fencing_token";
			}

		},

		/** The method or place that requested the lock. */
		CALLER {

			@Override
			public String asString() {
				return "lock.caller";
			}

		},

		/** The holder of the lock while the caller waited. */
		HOLDER {

			@Override
			public String asString() {
				return "lock.holder";
			}

		}

	}

}
