import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/**
 * Returns what axe-core finds wrong with a page (WCAG 2.2 A and AA).
 * @param page - page that is open
 */
export async function violations(page: Page): Promise<readonly string[]> {
  return run(page, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]);
}

async function run(page: Page, runOnly: readonly string[]): Promise<readonly string[]> {
  // The policy of the page forbids a script element that the test adds.
  if (!(await page.evaluate("globalThis.axe !== undefined"))) {
    await page.evaluate(await readFile(axe, "utf8"));
  }
  // The program of the page, as text, because this file has the types of Node.
  return page.evaluate<string[]>(`axe
    .run(document, { runOnly: ${JSON.stringify(runOnly)} })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`);
}

/** Rules about colours. The dark theme changes nothing else. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Returns what axe-core finds wrong with a page in the light and in the dark theme, after the name of the theme.
 * @param page - page that is open
 */
export async function violationsInThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const dark = await run(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const light = await violations(page);
  return [...light.map((each) => `light: ${each}`), ...dark.map((each) => `dark: ${each}`)];
}

/**
 * Returns the controls that a finger misses: the area that reacts is smaller than 44 by 44 px. Links within a sentence
 * have the size of its text (WCAG 2.5.8).
 * @param page - page that is open
 */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const LEAST = 44;
    const found = [];
    const places = [...document.querySelectorAll("*")]
      .filter((each) => each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth)
      .map((each) => [each, each.scrollLeft, each.scrollTop]);
    const within = document.querySelector("dialog[open]") ?? document;
    const controls = within.querySelectorAll(
      "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option]");
    for (const control of controls) {
      const style = getComputedStyle(control);
      if (!control.checkVisibility({ visibilityProperty: true }) || control.matches(".skip")) continue;
      if (style.display === "inline" && control.closest("p, .headline, .sub") !== null) continue;
      control.scrollIntoView({ block: "center", inline: "center" });
      const box = control.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const x = box.left + box.width / 2;
      const y = box.top + box.height / 2;
      const owns = (left, top) => {
        const hit = document.elementFromPoint(left, top);
        return hit !== null && (control.contains(hit) || hit.closest("label")?.control === control);
      };
      if (!owns(x, y)) continue;
      const reach = (dx, dy) => {
        let step = 0;
        while (step < LEAST && owns(x + dx * (step + 1), y + dy * (step + 1))) step += 1;
        return step;
      };
      const width = reach(-1, 0) + reach(1, 0) + 1;
      const height = reach(0, -1) + reach(0, 1) + 1;
      if (width < LEAST - 1 || height < LEAST - 1) {
        found.push(width + "x" + height + " " + control.outerHTML.slice(0, 90));
      }
    }
    // A picture that is taken afterwards shows the page as it was.
    for (const [each, left, top] of places) each.scrollTo(left, top);
    return [...new Set(found)];
  })()`);
}
