package io.distlock.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.logging.Level;

import io.distlock.test.redis.FreePort;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A real browser without a window, on the pages of one application. */
public final class Browser implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(90);

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static final String AXE = axe();

	private final String address;

	private final ChromeDriver driver;

	private Browser(String address, ChromeDriver driver) {
		this.address = address;
		this.driver = driver;
	}

	public static Browser open(int port) {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(BrowserFinder.browser());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
				"--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
				"--disable-sync", "--force-prefers-reduced-motion", "--lang=en");
		// A driver that is named is not downloaded.
		ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(BrowserFinder.driver())
			.usingPort(FreePort.find("127.0.0.1"))
			.build();
		ChromeDriver driver = new ChromeDriver(service, options);
		driver.manage().window().setSize(new Dimension(1280, 1000));
		return new Browser("http://localhost:" + port + "/", driver);
	}

	public void visit(String page) {
		this.driver.get(this.address + page);
	}

	public void follow(String selector) {
		this.driver.get(attribute(selector, "href"));
	}

	public String attribute(String selector, String name) {
		return wait(selector).until((driver) -> driver.findElement(By.cssSelector(selector)).getAttribute(name));
	}

	private WebElement find(String selector) {
		return wait(selector).until((driver) -> driver.findElement(By.cssSelector(selector)));
	}

	public void click(String selector) {
		// Again if the page has drawn the element anew in the meantime: then nothing was
		// clicked.
		wait(selector).until((driver) -> {
			WebElement element = driver.findElement(By.cssSelector(selector));
			// In the middle, where no edge of a list that scrolls covers it.
			this.driver.executeScript("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element);
			element.click();
			return true;
		});
	}

	public void type(String selector, String text) {
		// Again if the page has drawn the element anew in the meantime.
		wait(selector).until((driver) -> {
			WebElement input = driver.findElement(By.cssSelector(selector));
			input.clear();
			input.sendKeys(text);
			return true;
		});
	}

	public void select(String selector, String value) {
		wait(selector).until((driver) -> {
			new Select(driver.findElement(By.cssSelector(selector))).selectByValue(value);
			return true;
		});
	}

	public String text(String selector) {
		return wait(selector).until((driver) -> driver.findElement(By.cssSelector(selector)).getText());
	}

	public List<String> texts(String selector) {
		// Again if the page has drawn one of them anew in the meantime.
		return wait(selector).until(
				(driver) -> driver.findElements(By.cssSelector(selector)).stream().map(WebElement::getText).toList());
	}

	/** Waits until there is such an element. */
	public void await(String selector) {
		find(selector);
	}

	public void awaitText(String selector, String part) {
		wait(selector + " with " + part).until((driver) -> text(selector).contains(part));
	}

	/** Waits until the text is another one: pages draw with the next frame. */
	public void awaitTextOtherThan(String selector, String former) {
		wait(selector + " with another text than " + former).until((driver) -> !text(selector).equals(former));
	}

	private WebDriverWait wait(String what) {
		WebDriverWait wait = new WebDriverWait(this.driver, LIMIT);
		wait.withMessage(() -> what + "\n" + this.driver.findElement(By.tagName("body")).getText());
		wait.ignoring(org.openqa.selenium.NoSuchElementException.class,
				org.openqa.selenium.StaleElementReferenceException.class);
		return wait;
	}

	/**
	 * Returns milliseconds from the request of the page to the first thing that is seen
	 * of it.
	 */
	public double firstPaint() {
		// A page that is loaded need not be painted yet.
		Number paint = (Number) new WebDriverWait(this.driver, LIMIT).until((driver) -> this.driver
			.executeScript("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"));
		return paint.doubleValue();
	}

	/**
	 * Returns the milliseconds between changes of the figures of the run that is shown,
	 * sorted.
	 */
	@SuppressWarnings("unchecked")
	public List<Double> pausesBetweenFigures() {
		return ((List<Number>) this.driver.executeScript("""
				const at = performance.getEntriesByName("progress").map((mark) => mark.startTime);
				return at.slice(1).map((time, index) => time - at[index]).sort((one, other) => one - other);
				""")).stream().map(Number::doubleValue).toList();
	}

	/** Counts the points of a canvas that have the colour of a custom property. */
	public long points(String canvas, String property) {
		return (Long) this.driver.executeScript("""
				const probe = document.createElement("span");
				probe.style.color = `var(${arguments[1]})`;
				document.body.append(probe);
				const [red, green, blue] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
				probe.remove();
				const canvas = document.querySelector(arguments[0]);
				const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
				let points = 0;
				for (let i = 0; i < data.length; i += 4) {
					points += data[i] === red && data[i + 1] === green && data[i + 2] === blue ? 1 : 0;
				}
				return points;
				""", canvas, property);
	}

	/** Returns what a user of a screen reader would meet without a name. */
	@SuppressWarnings("unchecked")
	public List<String> controlsWithoutName() {
		return (List<String>) this.driver.executeScript("""
				return [...document.querySelectorAll("input, select, button, a, canvas, [role=img]")]
					.filter((control) => !control.closest("[hidden]") && !control.parentElement.closest("[role=img]"))
					.filter((control) => !(control.labels?.length || control.textContent.trim() || control.ariaLabel))
					.map((control) => control.outerHTML);
				""");
	}

	/**
	 * Returns what keeps users from reading or using the page, by the rules of axe-core:
	 * contrast, names, headings, landmarks.
	 * @param dark whether the page is to be dark
	 */
	@SuppressWarnings("unchecked")
	public List<String> barriers(boolean dark) {
		select("#theme", dark ? "dark" : "light");
		this.driver.executeScript(AXE);
		List<String> barriers = (List<String>) this.driver.executeAsyncScript("""
				const done = arguments[arguments.length - 1];
				axe.run().then(({ violations }) => done(violations.flatMap(({ help, nodes }) =>
					nodes.map((node) => `${help}: ${node.html}`))));
				""");
		select("#theme", "auto");
		return barriers;
	}

	private static String axe() {
		try {
			Properties jar = new Properties();
			jar.load(new StringReader(resource("META-INF/maven/org.webjars.npm/axe-core/pom.properties")));
			return resource("META-INF/resources/webjars/axe-core/" + jar.getProperty("version") + "/axe.min.js");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String resource(String name) throws IOException {
		try (InputStream in = Browser.class.getClassLoader().getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	/** Returns the errors that the browser reports, of scripts and missing files. */
	public List<String> errors() {
		return this.driver.manage()
			.logs()
			.get("browser")
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().equals(Level.SEVERE))
			.map(LogEntry::getMessage)
			.toList();
	}

	/** Keeps a screenshot under {@code target}, for people. */
	public void keep(String name) {
		try {
			Files.createDirectories(SCREENSHOTS);
			Files.write(SCREENSHOTS.resolve(name + ".png"), this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
