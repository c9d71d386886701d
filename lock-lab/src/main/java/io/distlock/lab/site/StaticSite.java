package io.distlock.lab.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * The pages of the lab without the lab: the same files that the application serves,
 * marked so that they read recorded runs from the folder {@code data} beside them.
 */
public final class StaticSite {

	private static final String STATIC = "/static/";

	private static final String CHARTS = "webjars/uplot/dist/";

	private StaticSite() {
	}

	/**
	 * Reads the files of the site, except those in {@code data}.
	 * @return content by path
	 * @throws IOException if a file cannot be read
	 */
	public static Map<String, String> files() throws IOException {
		PathMatchingResourcePatternResolver resolver = new PathMatchingResourcePatternResolver();
		Map<String, String> files = new TreeMap<>();
		for (String name : new String[] { "index.html", "lab.html" }) {
			String page = text(resolver.getResource("classpath:" + STATIC + name));
			files.put(name, page.replace("<html lang=\"en\">", "<html lang=\"en\" data-recorded>"));
		}
		for (String name : new String[] { "style.css", "icon.svg" }) {
			files.put(name, text(resolver.getResource("classpath:" + STATIC + name)));
		}
		for (Resource script : resolver.getResources("classpath:" + STATIC + "js/*.js")) {
			if (!"openapi.js".equals(script.getFilename())) {
				files.put("js/" + script.getFilename(), text(script));
			}
		}
		for (String name : new String[] { "uPlot.esm.js", "uPlot.min.css" }) {
			Resource[] found = resolver.getResources("classpath*:META-INF/resources/webjars/uplot/*/dist/" + name);
			files.put(CHARTS + name, text(found[0]));
		}
		return files;
	}

	/**
	 * Writes the files of the site.
	 * @param folder where they go
	 * @throws IOException if a file cannot be read or written
	 */
	public static void write(Path folder) throws IOException {
		for (Map.Entry<String, String> file : files().entrySet()) {
			Path path = folder.resolve(file.getKey());
			Files.createDirectories(path.getParent());
			Files.writeString(path, file.getValue());
		}
	}

	private static String text(Resource resource) throws IOException {
		return resource.getContentAsString(StandardCharsets.UTF_8);
	}

}
