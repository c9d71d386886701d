package io.distlock.ways

import io.distlock.DistributedLock
import io.distlock.LockContext

/** A bean in Kotlin for tests in Java. */
open class KotlinReports {

    @DistributedLock(name = "report", key = "#id")
    open fun key(id: String): String = LockContext.current().orElseThrow().key()
}
