package io.distlock.internal;

import java.time.Duration;
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
			world.template().acquire(world.request()).close();
		}
	},

	TRY_ACQUIRE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().tryAcquire(world.request()).ifPresent(LockHandle::close);
		}
	},

	EXECUTE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().execute(world.request(), (lock) -> 1);
		}
	},

	RUN {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(world.request(), (lock) -> {
			});
		}
	},

	TRY_EXECUTE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().tryExecute(world.request(), (lock) -> 1);
		}
	},

	TRY_RUN {
		@Override
		void call(FailingAllocations.World world) {
			world.template().tryRun(world.request(), (lock) -> {
			});
		}
	},

	INTERRUPTIBLE {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(world.request().onLost(OnLost.INTERRUPT), (lock) -> {
			});
		}
	},

	WATCHED {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(world.request(), (lock) -> lock.onLost((lost) -> {
			}));
		}
	},

	NESTED {
		@Override
		void call(FailingAllocations.World world) {
			LockTemplate locks = world.template();
			locks.run(world.request(), (outer) -> locks.run(world.request().mode(LockMode.SHARED), (inner) -> {
			}));
		}
	},

	EXTENDED {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(world.request(), (lock) -> lock.extend(Duration.ofMinutes(1)));
		}
	},

	READER {
		@Override
		void call(FailingAllocations.World world) {
			LockRequest read = world.request().mode(LockMode.SHARED);
			world.template().run(read, (first) -> world.keep(world.template().acquireAsync(read)));
		}
	},

	PERMIT {
		@Override
		void call(FailingAllocations.World world) {
			LockRequest permit = LockRequest.permit(world.key(), 1);
			world.template().run(permit, (first) -> world.waitBehind(permit));
		}
	},

	SEVERAL {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(world.several(), (both) -> {
			});
		}
	},

	TRY_SEVERAL_OF_WHICH_ONE_IS_BUSY {
		@Override
		void call(FailingAllocations.World world) {
			world.whileTaken(world.lastKey(), () -> world.template().tryRun(world.several(), (both) -> {
			}));
		}
	},

	HANDED_ON {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(world.request(), (lock) -> world.waitBehind(world.request()));
		}
	},

	BEFORE_A_READER {
		@Override
		void call(FailingAllocations.World world) {
			world.template().run(world.request(), (lock) -> world.waitBehind(world.request().mode(LockMode.SHARED)));
		}
	},

	LOCK {
		@Override
		void call(FailingAllocations.World world) {
			Lock lock = world.template().getLock(world.key());
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
			world.keep(world.template().acquireAsync(world.request()));
		}
	},

	EXECUTE_ASYNC {
		@Override
		void call(FailingAllocations.World world) {
			world.await(world.template().executeAsync(world.request(), (lock) -> CompletableFuture.completedFuture(1)));
		}
	},

	EXECUTE_ASYNC_CANCELLED_ON_LOSS {
		@Override
		void call(FailingAllocations.World world) {
			world.await(world.template()
				.executeAsync(world.request().onLost(OnLost.INTERRUPT),
						(lock) -> CompletableFuture.completedFuture(1)));
		}
	},

	SEVERAL_ASYNC {
		@Override
		void call(FailingAllocations.World world) {
			world.keep(world.template().acquireAsync(world.several()));
		}
	},

	FORKED {
		@Override
		void call(FailingAllocations.World world) {
			world.await(world.template().executeAsync(world.request(), (lock) -> {
				LockScopes.fork(lock, world.request()).orElseThrow().close();
				return CompletableFuture.completedFuture(1);
			}));
		}
	},

	FORKED_SEVERAL {
		@Override
		void call(FailingAllocations.World world) {
			world.await(world.moving().executeAsync(world.request(), (lock) -> {
				LockScopes.fork(lock, world.request()).orElseThrow().close();
				return CompletableFuture.completedFuture(1);
			}));
		}
	},

	MOVING {
		@Override
		void call(FailingAllocations.World world) {
			world.moving().run(world.several(), (lock) -> {
			});
		}
	},

	MOVING_WHILE_THE_NEXT_IS_BUSY {
		@Override
		void call(FailingAllocations.World world) {
			world.whileTakenInNext(world.lastKey(), () -> world.moving().tryRun(world.several(), (lock) -> {
			}));
		}
	},

	MOVING_ASYNC {
		@Override
		void call(FailingAllocations.World world) {
			world.keep(world.moving().acquireAsync(world.several()));
		}
	},

	MOVING_LOCK {
		@Override
		void call(FailingAllocations.World world) {
			Lock lock = world.moving().getLock(world.key());
			lock.lock();
			lock.unlock();
		}
	};

	/** Acquires and releases, on a thread of which one allocation fails. */
	abstract void call(FailingAllocations.World world);

}
