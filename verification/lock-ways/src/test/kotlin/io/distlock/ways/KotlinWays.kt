package io.distlock.ways

import io.distlock.DistributedLock
import kotlinx.coroutines.reactor.mono

/** Declarations that only Kotlin has. */
open class KotlinWork {

    @DistributedLock(name = "way")
    open fun work(): String = Witness.work()

    @DistributedLock(name = "way")
    open fun workByDefault(times: Int = 1): String = Witness.work()

    open fun callsItself(): String = work()

    companion object {
        @JvmStatic
        fun callDefault(bean: KotlinWork): String = bean.workByDefault()
    }
}

open class SuspendWork {

    @DistributedLock(name = "way")
    open suspend fun work(): String = Witness.work()

    open suspend fun callsItself(): String = work()

    companion object {
        @JvmStatic
        fun call(bean: SuspendWork): String = mono { bean.work() }.block()!!

        @JvmStatic
        fun callInside(bean: SuspendWork): String = mono { bean.callsItself() }.block()!!
    }
}

open class FinalKotlinWork {

    @DistributedLock(name = "way")
    fun work(): String = Witness.work()
}
