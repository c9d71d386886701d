package io.distlock.lab.run;

import java.util.List;

/**
 * Some sections: each that overlaps, and a part of the others.
 *
 * @param sections the sections
 * @param skipped how many are left out
 */
public record Sections(List<Section> sections, int skipped) {
}
