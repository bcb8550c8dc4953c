import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SAFETY_RULES, scanLeaks } from "../../src/index.js";

const MOST_PER_MEGABYTE = 0.2;
const LEAST_RECALL = 90;
/** Packages with ordinary code, which are installed wherever the tests run. */
const PACKAGES = ["undici", "unbash", "fast-check", "vitest"];
const LEAST_MEGABYTES = 2;
const SOURCE = /\.(?:[cm]?js|[cm]?ts|md)$/;

interface Recorded {
  readonly megabytes: number;
  readonly perMegabyte: number;
  readonly alarms: Readonly<Record<string, number>>;
}

interface RecordedRecall {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly n: number;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesIn(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

function folderOf(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  const marker = join("node_modules", name);
  const entry = resolve(name);
  return entry.slice(0, entry.lastIndexOf(marker) + marker.length);
}

describe("false alarms of the leak rules", () => {
  it("[SAFE-302] raises at most 0.2 false alarms per megabyte of ordinary code, without checksums", () => {
    let bytes = 0;
    const found: string[] = [];
    for (const path of PACKAGES.map(folderOf).flatMap(filesIn)) {
      const text = readFileSync(path, "utf8");
      bytes += Buffer.byteLength(text);
      for (const { rule } of scanLeaks(text, { context: "output" }).findings) {
        if (!rule.startsWith("high_entropy_hex_")) found.push(`${rule} in ${path}`);
      }
    }
    expect(bytes / 1e6).toBeGreaterThan(LEAST_MEGABYTES);
    expect(found.length / (bytes / 1e6), found.join("\n")).toBeLessThanOrEqual(MOST_PER_MEGABYTE);
  });

  it("[SAFE-302] raised at most 0.2 false alarms per megabyte in the recorded measurement of all packages", () => {
    const recorded = JSON.parse(
      readFileSync(
        join(dirname(fileURLToPath(import.meta.url)), "../../bench/false-alarms.json"),
        "utf8",
      ),
    ) as Recorded;
    expect(recorded.megabytes).toBeGreaterThan(100);
    expect(recorded.perMegabyte).toBeLessThanOrEqual(MOST_PER_MEGABYTE);
    const known = new Set(SAFETY_RULES.map(({ id }) => id));
    expect(Object.keys(recorded.alarms).filter((rule) => !known.has(rule))).toEqual([]);
  });

  it("[SAFE-302] redacted at least 90 % of the secrets of held-out test cases in the recorded measurement", () => {
    const { results } = JSON.parse(
      readFileSync(
        join(dirname(fileURLToPath(import.meta.url)), "../../bench/recorded/secrets.json"),
        "utf8",
      ),
    ) as { readonly results: readonly RecordedRecall[] };
    const heldOut = results.filter(({ bench }) => bench.endsWith("held out"));
    expect(heldOut.length).toBe(4);
    for (const { bench, metric, value } of heldOut) {
      expect(value, `${bench}, ${metric}`).toBeGreaterThanOrEqual(LEAST_RECALL);
    }
    const cases = heldOut.filter(({ metric }) => metric === "secrets redacted");
    expect(cases.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(1000);
  });
});
