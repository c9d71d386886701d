package io.distlock.spring;

import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Lookup;
import org.springframework.core.annotation.AliasFor;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Annotations of one's own, and where they may be. */
class CompositionTests {

	private static List<String> held() {
		return LockContext.all().stream().map(LockHandle::key).toList();
	}

	@Test
	void metaAnnotationWhenItAliasesAttributesThenTheyCount() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			Stock stock = application.get(Stock.class);
			assertThat(stock.aliased("a")).containsExactly("stock:a");
			assertThat(stock.named("a")).containsExactly("books:a");
			try (LockHandle held = application.other().acquire("books:a")) {
				assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> stock.named("a"))
					.satisfies((busy) -> assertThat(busy.waitTime()).hasMillis(20));
			}
		}
	}

	@Test
	void metaAnnotationWhenOverSeveralLevelsThenEachGivesItsAttributes() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			assertThat(application.get(Stock.class).levels("a")).containsExactly("used-books:a");
		}
	}

	/** Spring makes a subclass of it, which may have another name in every process. */
	@Test
	void classWhenSpringImplementsItsMethodsThenKeysNameItAsItWasWritten() {
		try (LockedApplication application = LockedApplication.of(Clerk.class)) {
			assertThat(application.get(Clerk.class).serve()).containsExactly("Clerk");
		}
	}

	@Test
	void classWhenItHasAMetaAnnotationThenAMethodsOwnWins() {
		try (LockedApplication application = LockedApplication.of(Shelf.class)) {
			Shelf shelf = application.get(Shelf.class);
			assertThat(shelf.any("a")).containsExactly("stock:a");
			assertThat(shelf.own("a")).containsExactly("own");
		}
		try (LockedApplication application = LockedApplication.of(SubShelf.class)) {
			SubShelf sub = application.get(SubShelf.class);
			assertThat(sub.any("a")).as("inherited method").containsExactly("stock:a");
			assertThat(sub.own("a")).as("overridden without an annotation").containsExactly("own");
			assertThat(sub.added("a")).as("added, the class annotation is inherited").containsExactly("stock:a");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void genericMethodWhenTheInterfaceHasTheAnnotationThenLockedByTheRealParameter(boolean classProxies) {
		try (LockedApplication application = new LockedApplication(classProxies, Map.of(), Map.of(), Books.class)) {
			@SuppressWarnings("unchecked")
			Store<Book> store = application.get(Store.class);
			assertThat(store.put(new Book("b1"))).containsExactly("put:b1");
			assertThat(store.remove(new Book("b1"))).containsExactly("remove:b1");
			assertThat(store.count(new Book("b1"))).as("default method").containsExactly("count:b1");
		}
	}

	@Test
	void genericMethodWhenTheSuperclassHasTheAnnotationThenLocked() {
		try (LockedApplication application = LockedApplication.of(Journal.class)) {
			assertThat(application.get(Journal.class).write(new Book("b1"))).containsExactly("write:b1");
			assertThat(application.get(Journal.class).read(new Book("b1"))).containsExactly("read:b1");
		}
	}

	/** Spring Framework 6 and 7 would take two different locks. */
	@Test
	void attributeWhenNamedLikeOneOfTheLockButNoAliasThenRefused() {
		String refusal = "@ShelfLock has an attribute 'key' that is no alias: with Spring Framework 6 it sets that of "
				+ "@DistributedLock, with 7 it does not. Annotate it with @AliasFor(annotation = DistributedLock.class, "
				+ "attribute = \"key\"), or give it another name";
		for (Class<?> type : List.of(NoAlias.class, NoAliasOfClass.class, NoAliasOfInterface.class)) {
			assertThatThrownBy(() -> LockedApplication.of(type).close()).rootCause()
				.isInstanceOf(InvalidLockDefinitionException.class)
				.hasMessageContaining("@DistributedLock on CompositionTests." + type.getSimpleName() + ".run(String): ")
				.hasMessageContaining(refusal);
		}
		DocPage.of("startup-messages.md").says("@DistributedLock on StockService.run(String): " + refusal);
	}

	@Test
	void valueIsAnAliasOfTheKey() {
		try (LockedApplication application = LockedApplication.of(Values.class)) {
			Values values = application.get(Values.class);
			assertThat(values.alone("a")).containsExactly("a");
			assertThat(values.named("a")).containsExactly("stock:a");
			assertThat(values.bothWithTheSameText("a")).containsExactly("stock:a");
			assertThat(values.permit("a")).containsExactly("permits:a");
			assertThat(values.composed("a")).containsExactly("labelled");
			assertThat(values.composedWithAlias("a")).containsExactly("shop:a");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { TwoKeys.class, TwoKeysOfPermit.class, TwoKeysOfClass.class })
	void valueWhenAnotherThanTheKeyThenRefused(Class<?> type) {
		assertThatThrownBy(() -> LockedApplication.of(type).close()).rootCause()
			.isInstanceOf(InvalidLockDefinitionException.class)
			.hasMessageContaining("on CompositionTests." + type.getSimpleName() + ".run(String): ")
			.hasMessageEndingWith(
					"value is '#item' and key is '#p0', but both are the same attribute. Write one of them");
	}

	@Test
	void severalAnnotationsWhenInOnePlaceThenRefused() {
		assertThatThrownBy(() -> LockedApplication.of(TwoLocks.class).close()).rootCause()
			.isInstanceOf(InvalidLockDefinitionException.class)
			.hasMessageContaining(
					"@DistributedLock on CompositionTests.TwoLocks.run(): several annotations in one place "
							+ "say what to lock, and only one would count: @Audited, @BookLock. Keep one of them, and take another "
							+ "lock in the body with LockTemplate or in another method");
		DocPage.of("startup-messages.md")
			.says("@DistributedLock on StockService.run(): several annotations in one place say what to lock, and only one "
					+ "would count: @Audited, @BookLock. Keep one of them, and take another lock in the body with "
					+ "LockTemplate or in another method");
		assertThatThrownBy(() -> LockedApplication.of(TwoOfClass.class).close()).rootCause()
			.hasMessageContaining("only one would count: @Audited, @DistributedLock.");
		assertThatThrownBy(() -> LockedApplication.of(LockAndPermitOfClass.class).close()).rootCause()
			.hasMessageContaining("only one would count: @Audited, @DistributedSemaphore.");
		assertThatThrownBy(() -> LockedApplication.of(SubOfLockAndPermit.class).close()).rootCause()
			.hasMessageContaining("only one would count: @Audited, @DistributedSemaphore.");
		assertThatThrownBy(() -> LockedApplication.of(TwoPermits.class).close()).rootCause()
			.hasMessageContaining("@DistributedSemaphore on CompositionTests.TwoPermits.run(): several annotations in "
					+ "one place say what to lock, and only one would count: @DistributedSemaphore, @Throttled.");
		assertThat(DistributedLock.class.isAnnotationPresent(Repeatable.class)).isFalse();
	}

	@Retention(RetentionPolicy.RUNTIME)
	@Inherited
	@DistributedLock
	@interface StockLock {

		@AliasFor(annotation = DistributedLock.class, attribute = "name")
		String of() default "stock";

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String sku() default "#sku";

		@AliasFor(annotation = DistributedLock.class, attribute = "waitTime")
		String patience() default "";

	}

	@Retention(RetentionPolicy.RUNTIME)
	@StockLock(of = "books", patience = "20ms")
	@interface BookLock {

		@AliasFor(annotation = StockLock.class, attribute = "of")
		String shelf() default "books";

	}

	@Retention(RetentionPolicy.RUNTIME)
	@BookLock(shelf = "used-books")
	@interface UsedBookLock {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "shelf")
	@interface ShelfLock {

		String key();

	}

	static class NoAlias {

		@ShelfLock(key = "#shelf")
		public void run(String shelf) {
		}

	}

	@ShelfLock(key = "#shelf")
	static class NoAliasOfClass {

		public void run(String shelf) {
		}

	}

	interface Shelves {

		@ShelfLock(key = "#p0")
		void run(String shelf);

	}

	static class NoAliasOfInterface implements Shelves {

		@Override
		public void run(String shelf) {
		}

	}

	static class Values {

		@DistributedLock("#item")
		public List<String> alone(String item) {
			return held();
		}

		@DistributedLock(name = "stock", value = "#item")
		public List<String> named(String item) {
			return held();
		}

		@DistributedLock(name = "stock", value = "#item", key = "#item")
		public List<String> bothWithTheSameText(String item) {
			return held();
		}

		@DistributedSemaphore(name = "permits", value = "#item", permits = "2")
		public List<String> permit(String item) {
			return held();
		}

		@Labelled("no expression")
		public List<String> composed(String item) {
			return held();
		}

		@ShopLock("#item")
		public List<String> composedWithAlias(String item) {
			return held();
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "labelled")
	@interface Labelled {

		String value();

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "shop")
	@interface ShopLock {

		@AliasFor(annotation = DistributedLock.class, attribute = "value")
		String value();

	}

	static class TwoKeys {

		@DistributedLock(value = "#item", key = "#p0")
		public void run(String item) {
		}

	}

	static class TwoKeysOfPermit {

		@DistributedSemaphore(value = "#item", key = "#p0", permits = "1")
		public void run(String item) {
		}

	}

	@DistributedLock(value = "#item", key = "#p0")
	static class TwoKeysOfClass {

		public void run(String item) {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "audit")
	@interface Audited {

	}

	abstract static class Clerk {

		@Lookup
		abstract Stock stock();

		@DistributedLock(key = "#root.targetClass.simpleName")
		public List<String> serve() {
			return held();
		}

	}

	static class Stock {

		@StockLock(sku = "#item")
		public List<String> aliased(String item) {
			return held();
		}

		@BookLock
		public List<String> named(String sku) {
			return held();
		}

		@UsedBookLock
		public List<String> levels(String sku) {
			return held();
		}

	}

	@StockLock
	static class Shelf {

		public List<String> any(String sku) {
			return held();
		}

		@DistributedLock(name = "own")
		public List<String> own(String sku) {
			return held();
		}

	}

	static class SubShelf extends Shelf {

		@Override
		public List<String> own(String sku) {
			return held();
		}

		public List<String> added(String sku) {
			return held();
		}

	}

	record Book(String isbn) {

	}

	interface Store<T> {

		@DistributedLock(name = "put", key = "#p0.isbn")
		List<String> put(T item);

		List<String> remove(T item);

		@DistributedLock(name = "count", key = "#p0.isbn")
		default List<String> count(T item) {
			return held();
		}

	}

	static class Books implements Store<Book> {

		@Override
		public List<String> put(Book book) {
			return held();
		}

		@Override
		@DistributedLock(name = "remove", key = "#book.isbn")
		public List<String> remove(Book book) {
			return held();
		}

	}

	abstract static class Records<T> {

		@DistributedLock(name = "write", key = "#p0.isbn")
		public abstract List<String> write(T item);

		@DistributedLock(name = "read", key = "#item.isbn")
		public List<String> read(T item) {
			return held();
		}

	}

	static class Journal extends Records<Book> {

		@Override
		public List<String> write(Book item) {
			return held();
		}

	}

	static class TwoLocks {

		@BookLock
		@Audited
		public void run() {
		}

	}

	@Test
	void classWhenItsSuperclassHasTheOtherAnnotationThenItsOwnCounts() {
		try (LockedApplication application = LockedApplication.of(LimitedBoard.class, LockedDesk.class)) {
			assertThat(application.get(LimitedBoard.class).isFree(application)).isTrue();
			assertThat(application.get(LockedDesk.class).isFree(application)).isFalse();
		}
	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedSemaphore(name = "throttled", permits = "2")
	@interface Throttled {

	}

	@DistributedLock(name = "board")
	static class Board {

	}

	@DistributedSemaphore(name = "shelf", permits = "2")
	static class LimitedBoard extends Board {

		public boolean isFree(LockedApplication application) {
			return CompositionTests.isFree(application, LockRequest.of("shelf").permits(2));
		}

	}

	@Throttled
	static class Desk {

	}

	@DistributedLock(name = "desk")
	static class LockedDesk extends Desk {

		public boolean isFree(LockedApplication application) {
			return CompositionTests.isFree(application, LockRequest.of("desk").permits(2));
		}

	}

	private static boolean isFree(LockedApplication application, LockRequest request) {
		return application.other().tryAcquire(request.waitAtMost(Duration.ZERO)).map((lock) -> {
			lock.close();
			return true;
		}).orElse(false);
	}

	@Audited
	@DistributedSemaphore(name = "other", permits = "1")
	static class LockAndPermitOfClass {

		public void run() {
		}

	}

	static class SubOfLockAndPermit extends LockAndPermitOfClass {

	}

	static class TwoPermits {

		@Throttled
		@DistributedSemaphore(name = "other", permits = "1")
		public void run() {
		}

	}

	@Audited
	@DistributedLock(name = "other")
	static class TwoOfClass {

		public void run() {
		}

	}

}
