import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { CONSOLE_FOLDER } from "@openclaw/control-ui";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { ColourTokens } from "../../src/console/contrast.js";

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

const STYLES = new URL("../../../control-ui/src/styles/", import.meta.url);
const SURFACES = ["paper", "paper-2", "raised", "sunken", "hover", "selected"];
const STATES = ["waiting", "approval", "running", "done", "failed", "blocked", "stuck"];

it.each(["light", "dark"] as const)(
  "[UI-513] has text of 4.5:1, and marks and borders of controls of 3:1 in the %s theme",
  (theme) => {
    const tokens = new ColourTokens(readFileSync(new URL("tokens.css", STYLES), "utf8"));
    const pairs = [
      ...SURFACES.flatMap((surface) => [
        ...["ink", "ink-2", "ink-3"].map((text) => [text, surface, 4.5] as const),
        ...["control", "accent-mark"].map((mark) => [mark, surface, 3] as const),
      ]),
      ...STATES.flatMap((state) => [
        ...["paper", "raised", "sunken", `${state}-bg`].map(
          (surface) => [`${state}-fg`, surface, 4.5] as const,
        ),
        ...["paper", "paper-2", "raised"].map((surface) => [`${state}-mark`, surface, 3] as const),
      ]),
      ["on-ink", "ink", 4.5] as const,
    ];
    const low = pairs
      .map(([one, other, least]) => ({ one, other, least, is: tokens.contrast(one, other, theme) }))
      .filter(({ least, is }) => is < least);
    expect(low).toEqual([]);
  },
);

it("[UI-513] draws the border of each kind of control in the colour for controls", () => {
  const read = (name: string) => readFileSync(new URL(name, STYLES), "utf8");
  const controls = read("components/controls.css") + read("components/floating.css");
  for (const control of ["btn", "input", "chip", "seg", "radio"]) {
    const rule = new RegExp(`\\.${control}\\b[^{}]*\\{[^{}]*\\bborder: 1px solid ([^;]+);`).exec(
      controls,
    );
    expect(rule?.[1], control).toBe("var(--control)");
  }
});

const file = new URL("../../bench/recorded/console.json", import.meta.url);

// Written by `pnpm bench --record console`, in a real Chromium.
describe.runIf(existsSync(file))("the console", () => {
  it.each([
    ["[UI-539]", "conversation of 10,000 messages, until it is on the screen, median", 1000, "ms"],
    ["[UI-539]", "scrolling through 10,000 messages", 50, "frames/s"],
    [
      "[UI-041] [UI-539]",
      "delay of a key while 100 parts/s stream, 4x slower, 95th percentile",
      ...([100, "ms"] as const),
    ],
    ["[UI-540]", "run of 2,000 steps, read and drawn, median", 300, "ms"],
    ["[UI-023] [UI-540]", "500 handlers of that run, drawn, median", 100, "ms"],
    ["[UI-009]", "stop of a running turn, until it is interrupted, slowest", 500, "ms"],
    ["[UI-041] [UI-540]", "memory after 50 switches of views, more than before", 10, "MiB"],
  ] as const)("%s %s: %i %s", (_row, metric, goal, unit) => {
    const figure = recordedFigure(recordedBenchmark(file), "console", metric);
    expect(figure).toMatchObject({ unit, goal });
    if (unit === "frames/s") expect(figure.value).toBeGreaterThanOrEqual(goal);
    else expect(figure.value).toBeLessThanOrEqual(goal);
  });
});

const lists = new URL("../../bench/recorded/console-lists.json", import.meta.url);

// Written by `pnpm bench --record console-lists`, in a real Chromium, on a machine without other work.
describe.runIf(existsSync(lists))("the console with 10,000 sessions", () => {
  it.each([
    ["[UI-041] [UI-512]", "first paint, median", 600, "ms"],
    ["[UI-041] [UI-512]", "usable chat, median", 1200, "ms"],
    ["[UI-512]", "sessions: first rows", 1200, "ms"],
    ["[UI-512]", "sessions: scrolling", 50, "frames/s"],
    ["[UI-512]", "approval history: first rows", 1200, "ms"],
    ["[UI-512]", "approval history: scrolling", 50, "frames/s"],
  ] as const)("%s %s: %i %s", (_row, metric, goal, unit) => {
    const figure = recordedFigure(recordedBenchmark(lists), "console lists", metric);
    expect(figure).toMatchObject({ unit, goal });
    if (unit === "ms") expect(figure.value).toBeLessThanOrEqual(goal);
    else expect(figure.value).toBeGreaterThanOrEqual(goal);
  });
});

const logs = new URL("../../bench/recorded/console-logs.json", import.meta.url);

// Written by `pnpm bench --record console-logs`, in a real Chromium, on a machine without other work.
describe.runIf(existsSync(logs))("the log of the console", () => {
  it("[UI-559] [UI-004] scrolls through 50,000 lines with at least 50 frames a second", () => {
    const metric = "scrolling through 50,000 lines";
    const figure = recordedFigure(recordedBenchmark(logs), "console logs", metric);
    expect(figure).toMatchObject({ unit: "frames/s", goal: 50 });
    expect(figure.value).toBeGreaterThanOrEqual(50);
  });
});
