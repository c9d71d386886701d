package kotlin.coroutines;

/** Stands for Kotlin's type, which the compiler adds to each suspend function. */
public interface Continuation<T> {

}
