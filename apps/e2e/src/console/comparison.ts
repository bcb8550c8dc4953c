import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { webpOf } from "./pictures.js";

/** Variants of which the design has pictures. */
const VARIANTS = [
  { suffix: "light", width: 1440, height: 900, colorScheme: "light" },
  { suffix: "dark", width: 1440, height: 900, colorScheme: "dark" },
  { suffix: "390-light", width: 390, height: 844, colorScheme: "light" },
  { suffix: "390-dark", width: 390, height: 844, colorScheme: "dark" },
] as const;

/** Comparison of the console with its design: pictures of both, and the page that shows them side by side. */
export class DesignComparison {
  readonly #folder: string;
  readonly #design: string;

  /**
   * @param folder - folder of the page
   * @param design - folder with the pictures of the design, as PNG
   */
  constructor(folder: string, design: string) {
    this.#folder = folder;
    this.#design = design;
    for (const name of ["console", "design"]) mkdirSync(join(folder, name), { recursive: true });
  }

  /**
   * Adds a screen in every variant.
   * @param page - page that shows it
   * @param name - name of the screen
   */
  async add(page: Page, name: string): Promise<void> {
    for (const { suffix, width, height, colorScheme } of VARIANTS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate("scrollTo(0, 0)");
      const drawn = await page.screenshot({ animations: "disabled", caret: "hide" });
      const file = `${name}-${suffix}`;
      writeFileSync(join(this.#folder, `console/${file}.webp`), await webpOf(page, drawn));
      const design = join(this.#design, `${file}.png`);
      if (!existsSync(design)) continue;
      const shown = await webpOf(page, readFileSync(design));
      writeFileSync(join(this.#folder, `design/${file}.webp`), shown);
    }
  }

  /**
   * Writes the page.
   * @param screens - names of the screens, each with what differs from the design and why
   */
  write(screens: readonly { readonly name: string; readonly note: string }[]): void {
    const sections = screens.map(({ name, note }) => {
      const rows = VARIANTS.map(({ suffix }) => {
        const file = `${name}-${suffix}`;
        const design = existsSync(join(this.#folder, `design/${file}.webp`))
          ? `<img loading="lazy" alt="Design of ${file}" src="compare/design/${file}.webp">`
          : "<p>The design has no picture of this width.</p>";
        const own = `<img loading="lazy" alt="Console: ${file}" src="compare/console/${file}.webp">`;
        return `<div class="pair"><figure>${own}<figcaption>console, ${suffix}</figcaption></figure><figure>${design}<figcaption>design, ${suffix}</figcaption></figure></div>`;
      });
      return `<section id="${name}">\n<h2>${name}</h2>\n<p>${note}</p>\n${rows.join("\n")}\n</section>`;
    });
    writeFileSync(join(this.#folder, "../compare.html"), `${HEAD}${sections.join("\n")}\n`);
  }
}

const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The console next to its design</title>
<style>
  body { font: 14px/1.5 sans-serif; margin: 2rem; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; }
  figure { margin: 0 0 1rem; }
  img { max-width: 100%; border: 1px solid #bbb; }
</style>
<h1>The console next to its design</h1>
<p>Pictures of a gateway with seeded data, made by apps/e2e/test/console/views.test.ts.</p>
`;
