/** A store of somebody else, selected by {@code distributed-lock.store=file}. */
@NullMarked
package com.example.lock.file;

import org.jspecify.annotations.NullMarked;
