import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/**
 * Returns what axe-core finds wrong with a page (WCAG 2.2 A and AA).
 * @param page - page that is open
 */
export async function violations(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids a script element that the test adds.
  await page.evaluate(await readFile(axe, "utf8"));
  // The program of the page, as text, because this file has the types of Node.
  return page.evaluate<string[]>(`axe
    .run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`);
}
