import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { CONSOLE_FOLDER } from "@openclaw/control-ui";
import { expect, it } from "vitest";

const KB = 1024;

it("[UI-040] loads at most 120 KB of scripts and 20 KB of styles at first", () => {
  const page = readFileSync(join(CONSOLE_FOLDER, "index.html"), "utf8");
  const size = (pattern: RegExp) =>
    [...page.matchAll(pattern)]
      .map(([, name = ""]) => gzipSync(readFileSync(join(CONSOLE_FOLDER, name))).length)
      .reduce((sum, length) => sum + length, 0);
  const scripts = size(/(?:src|modulepreload"[^>]* href)="\/console\/([^"]+\.js)"/g);
  const styles = size(/href="\/console\/([^"]+\.css)"/g);
  expect(scripts).toBeGreaterThan(0);
  expect(styles).toBeGreaterThan(0);
  expect(scripts).toBeLessThanOrEqual(120 * KB);
  expect(styles).toBeLessThanOrEqual(20 * KB);
});
