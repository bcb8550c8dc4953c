import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { smallTargets, violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";
import { HOSTILE_TEXTS } from "./corpus/hostile-texts.js";

/** Plugin that writes lines into the log. */
const TALKER = `
export default {
  id: "talker",
  register(api) {
    api.registerGatewayMethod("talker.say", ({ params: { lines, level } }) => {
      for (const line of lines) api.logger[level](line, { runId: "run-1", sessionKey: "agent:main:one" });
      return {};
    });
  },
};
`;

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open({}, {}, { talker: TALKER });
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const say = (lines: readonly string[], level = "info") =>
  scene.client.invoke("talker.say", { lines, level });
const log = (page: Page) => page.getByRole("table", { name: "Logs" });
const line = (page: Page, words: string) => log(page).getByText(words, { exact: true });

it("[UI-042] [UI-029] [UI-559] follows the log, stays where a person reads, pauses, filters and leads to the run", async () => {
  const page = await scene.signedIn("/logs");
  await log(page).waitFor();
  await say(["the first line"]);
  await line(page, "the first line").waitFor();
  await page.getByRole("button", { name: "Pause" }).press("Enter");
  await page.getByText("Paused", { exact: true }).waitFor();
  await say(["while paused"], "warn");
  await say(["later"], "error");
  expect(await line(page, "while paused").count()).toBe(0);
  await page.getByRole("button", { name: "Resume" }).press("Enter");
  await line(page, "while paused").waitFor();

  await say(Array.from({ length: 400 }, (_, index) => `line ${index}`));
  await line(page, "line 399").waitFor();
  await page.locator(".page").evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2;
  });
  await line(page, "line 399").waitFor({ state: "detached" });
  const top = await page.locator(".page").evaluate((element) => element.scrollTop);
  await say(["unseen"]);
  await page.getByRole("button", { name: /^1 new line/ }).waitFor();
  expect(await page.locator(".page").evaluate((element) => element.scrollTop)).toBe(top);
  await page.locator("body").press("G");
  await line(page, "unseen").waitFor();

  await page.getByLabel("Level").selectOption("warn");
  await page.waitForURL(/level=warn/);
  await line(page, "while paused").waitFor();
  await line(page, "line 399").waitFor({ state: "detached" });
  await page.getByLabel("Find").fill("LATER");
  await line(page, "while paused").waitFor({ state: "detached" });
  await page.reload();
  await line(page, "later").waitFor();
  expect(await line(page, "while paused").count()).toBe(0);
  await page.locator("body").press("k");
  await page.locator(".logs [data-focus]").waitFor();
  await page.keyboard.press("Enter");
  const details = page.getByRole("complementary", { name: "Line" });
  await details.getByText("agent:main:one").first().waitFor();
  await details.getByRole("button", { name: "Only agent:main:one" }).press("Enter");
  await page.waitForURL(/session=agent/);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).press("Enter");
  const file = await (await saved).path();
  const [record] = readFileSync(file, "utf8").trim().split("\n");
  expect(JSON.parse(record ?? "")).toMatchObject({ msg: "later", level: "error", runId: "run-1" });
  await details.getByRole("link", { name: "Open run" }).press("Enter");
  await page.waitForURL("**/runs/run-1");
});

it("[UI-559] reads older lines when a person scrolls to the beginning, and moves nothing", async () => {
  for (let part = 0; part < 3; part += 1) {
    await say(Array.from({ length: 800 }, (_, index) => `old ${part * 800 + index}`));
  }
  await say(["newest"]);
  const page = await scene.signedIn("/logs");
  await line(page, "newest").waitFor();
  const scroller = page.locator(".page");
  await page.getByText(/^1,000 lines/).waitFor();
  await scroller.evaluate((element) => {
    element.scrollTop = 200;
  });
  await page.getByText(/^[23],\d{3} lines/).waitFor();
  // The line that was there is still there.
  await expect
    .poll(() => scroller.evaluate((element) => element.scrollTop))
    .toBeGreaterThan(20_000);
});

it("[UI-559] [UI-036] [UI-032] [UI-034] [UI-507] runs no script of a line, and can be used by everyone", async () => {
  await say(HOSTILE_TEXTS, "warn");
  await say(["the end"], "error");
  for (const query of ["", "?q=no+such+words", "?level=error"]) {
    const page = await scene.signedIn(`/logs${query}`);
    await page.locator(".logs .row.act, .empty").first().waitFor();
    if (query === "?level=error") {
      await line(page, "the end").press("Enter");
      await page.getByRole("complementary", { name: "Line" }).waitFor();
    }
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await violations(page), `${query} ${colorScheme}`).toEqual([]);
    }
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect.soft(wide, `${query} at ${width}`).toBeLessThanOrEqual(width);
      if (width === 390 && query !== "") expect.soft(await smallTargets(page), query).toEqual([]);
    }
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
    await page.close();
  }
});
