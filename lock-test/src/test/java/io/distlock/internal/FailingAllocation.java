package io.distlock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockTemplate;
import io.distlock.OnLost;

/** Calls of users that hold a lock for a moment. */
enum FailingAllocation {

	ACQUIRE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().acquire(request()).close();
		}
	},

	TRY_ACQUIRE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().tryAcquire(request()).ifPresent(LockHandle::close);
		}
	},

	EXECUTE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().execute(request(), (lock) -> 1);
		}
	},

	RUN {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(request(), (lock) -> {
			});
		}
	},

	TRY_EXECUTE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().tryExecute(request(), (lock) -> 1);
		}
	},

	TRY_RUN {
		@Override
		void call(FailingAllocations.World world) {
			world.template().tryRun(request(), (lock) -> {
			});
		}
	},

	INTERRUPTIBLE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(request().onLost(OnLost.INTERRUPT), (lock) -> {
			});
		}
	},

	WATCHED {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(request(), (lock) -> lock.onLost((lost) -> {
			}));
		}
	},

	NESTED {
		@Override
		void call(FailingAllocations.World world) {
			LockTemplate locks = world.template();
			locks.run(request(), (outer) -> locks.run(request().mode(LockMode.SHARED), (inner) -> {
			}));
		}
	},

	EXTENDED {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(request(), (lock) -> lock.extend(Duration.ofMinutes(1)));
		}
	},

	READER {
		@Override
		void call(FailingAllocations.World world) {
			LockRequest read = request().mode(LockMode.SHARED);
			world.template().run(read, (first) -> world.keep(world.template().acquireAsync(read)));
		}
	},

	PERMIT {
		@Override
		void call(FailingAllocations.World world) {
			LockRequest permit = LockRequest.permit(KEY, 1);
			world.template().run(permit, (first) -> world.waitBehind(permit));
		}
	},

	SEVERAL {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(several(), (both) -> {
			});
		}
	},

	TRY_SEVERAL_OF_WHICH_ONE_IS_BUSY {
		@Override
		void call(FailingAllocations.World world) {
			world.whileTaken(LAST_KEY, () -> world.template().tryRun(several(), (both) -> {
			}));
		}
	},

	HANDED_ON {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(request(), (lock) -> world.waitBehind(request()));
		}
	},

	BEFORE_A_READER {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(request(), (lock) -> world.waitBehind(request().mode(LockMode.SHARED)));
		}
	},

	LOCK {
		@Override
		void call(FailingAllocations.World world) {
			Lock lock = world.template().getLock(KEY);
			lock.lock();
			try {
				world.done();
			}
			finally {
				lock.unlock();
			}
		}
	},

	ACQUIRE_ASYNC {
		@Override
		void call(FailingAllocations.World world) {
			world.keep(world.template().acquireAsync(request()));
		}
	},

	EXECUTE_ASYNC {
		@Override
		void call(FailingAllocations.World world) {
			world.await(world.template().executeAsync(request(), (lock) -> CompletableFuture.completedFuture(1)));
		}
	},

	EXECUTE_ASYNC_CANCELLED_ON_LOSS {
		@Override
		void call(FailingAllocations.World world) {
			world.await(world.template()
				.executeAsync(request().onLost(OnLost.INTERRUPT), (lock) -> CompletableFuture.completedFuture(1)));
		}
	},

	SEVERAL_ASYNC {
		@Override
		void call(FailingAllocations.World world) {
			world.keep(world.template().acquireAsync(several()));
		}
	},

	FORKED {
		@Override
		void call(FailingAllocations.World world) {
			world.await(world.template().executeAsync(request(), (lock) -> {
				LockScopes.fork(lock, request()).orElseThrow().close();
				return CompletableFuture.completedFuture(1);
			}));
		}
	},

	FORKED_SEVERAL {
		@Override
		void call(FailingAllocations.World world) {
			world.await(world.moving().executeAsync(request(), (lock) -> {
				LockScopes.fork(lock, request()).orElseThrow().close();
				return CompletableFuture.completedFuture(1);
			}));
		}
	},

	MOVING {
		@Override
		void call(FailingAllocations.World world) {
			world.moving().run(several(), (lock) -> {
			});
		}
	},

	MOVING_WHILE_THE_NEXT_IS_BUSY {
		@Override
		void call(FailingAllocations.World world) {
			world.whileTakenInNext(LAST_KEY, () -> world.moving().tryRun(several(), (lock) -> {
			}));
		}
	},

	MOVING_ASYNC {
		@Override
		void call(FailingAllocations.World world) {
			world.keep(world.moving().acquireAsync(several()));
		}
	},

	MOVING_LOCK {
		@Override
		void call(FailingAllocations.World world) {
			Lock lock = world.moving().getLock(KEY);
			lock.lock();
			lock.unlock();
		}
	};

	static final String KEY = "stock:42";

	static final String LAST_KEY = "stock:43";

	static LockRequest request() {
		return LockRequest.of(KEY);
	}

	static LockRequest several() {
		return LockRequest.ofAll(List.of(KEY, LAST_KEY));
	}

	/** Acquires and releases, on a thread of which one allocation fails. */
	abstract void call(FailingAllocations.World world);

}
