import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addToken } from "@openclaw/configuration";
import { parseUsd } from "@openclaw/foundation";
import { openStore } from "@openclaw/store";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { smallTargets, violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";
import { HOSTILE_TEXTS } from "./corpus/hostile-texts.js";

const BERLIN = { timezoneId: "Europe/Berlin" } as const;
/** Times of calls around the day of 25 hours, and on the day of 23 hours, with what they cost in picodollars. */
const CALLS = [
  ["2026-10-24T21:59:59.999Z", 1n],
  ["2026-10-24T22:00:00.000Z", 20n],
  ["2026-10-25T00:30:00.000Z", 300n],
  ["2026-10-25T22:59:59.999Z", 4000n],
  ["2026-10-25T23:00:00.000Z", 50_000n],
  ["2026-03-28T23:00:00.000Z", 600_000n],
  ["2026-03-29T21:59:59.999Z", 7_000_000n],
  ["2026-03-29T22:00:00.000Z", 80_000_000n],
] as const;
const AUTUMN = "period=custom&from=2026-10-25&to=2026-10-25";
const SPRING = "period=custom&from=2026-03-29&to=2026-03-29";
const DAY = "period=custom&from=2026-11-05&to=2026-11-05";

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open(
    { models: { budget: { maxCostPerMonthCents: 5000 } } },
    { TZ: "UTC" },
    {},
    async ({ state }) => {
      let now = 0;
      const store = await openStore({ file: join(state, "openclaw.db"), now: () => now });
      const record = async (at: string, cost: bigint, call: object) => {
        now = Date.parse(at);
        const usage = { input: 1000, output: 10, cacheRead: 250 };
        const made = {
          ...{ callId: `${at} ${cost}`, agentId: "main", provider: "atlas", model: "large" },
          ...call,
        };
        await store.spending.record(made, { usage, cost, isEstimated: false });
      };
      for (const [at, cost] of CALLS) await record(at, cost, {});
      for (const [index, text] of HOSTILE_TEXTS.slice(0, 30).entries()) {
        const cost = 333_333_333_333n + BigInt(index);
        const agentId = index % 3 === 0 ? "ops" : "main";
        await record("2026-11-05T12:00:00Z", cost, { agentId, sessionKey: text, jobId: text });
      }
      await store.close();
    },
  );
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const rows = (page: Page) => page.locator(".rows.usage .row.act, .rows.usage .row[data-total]");
/** Costs of the rows with all their digits, in picodollars, the total last. */
async function costsOf(page: Page): Promise<readonly bigint[]> {
  await page.locator(".rows.usage .row[data-total]").waitFor();
  const titles = await rows(page)
    .locator("span[title^='$']")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("title")?.slice(1) ?? ""));
  return titles.map((usd) => parseUsd(usd) ?? -1n);
}

describe("the usage", () => {
  it("[UI-030] [UI-580] has the sums of the gateway by each kind of group, which add up to its total to the last unit", async () => {
    const page = await scene.signedIn(`/usage?${DAY}`);
    const expected = HOSTILE_TEXTS.slice(0, 30).reduce(
      (sum, _, index) => sum + 333_333_333_333n + BigInt(index),
      0n,
    );
    for (const by of ["Session", "Model", "Sender", "Job", "Agent"]) {
      await page.getByRole("link", { name: by, exact: true }).click();
      await page.getByRole("table", { name: by, exact: true }).waitFor();
      const costs = await costsOf(page);
      expect(costs.at(-1), by).toBe(expected);
      expect(
        costs.slice(0, -1).reduce((sum, cost) => sum + cost, 0n),
        by,
      ).toBe(expected);
    }
    expect(await page.locator(".headline").innerText()).toMatch(/^\$10\.00 for 30 calls in 5 Nov/);
    expect(await page.getByRole("img", { name: "Cost for each day by Agent" }).count()).toBe(1);
    expect(await page.getByRole("table", { name: "Budgets" }).innerText()).toContain("$50.00");
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
  });

  it("[UI-580] filters with key:value, also by a row, which the URL keeps, and exports exactly what is shown", async () => {
    const page = await scene.signedIn(`/usage?${DAY}`);
    await page.getByRole("table", { name: "Agent" }).getByRole("link", { name: "ops" }).click();
    await page.getByRole("table", { name: "Model" }).waitFor();
    await expect.poll(() => page.getByLabel("Find").inputValue()).toBe("agent:ops");
    await page.reload();
    await page.getByRole("link", { name: "Session", exact: true }).click();
    await page.getByRole("table", { name: "Session" }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(11);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("usage-by-session.csv");
    const written = readFileSync(await download.path(), "utf8");
    const midnight = Date.parse("2026-11-05T00:00+01:00");
    const { content } = await scene.client.call("usage.export", {
      ...{ groupBy: "session", splitBy: "day", filter: { agentId: "ops" } },
      timeZone: "UTC",
      ...{ from: midnight, to: midnight + 24 * 3_600_000 },
    });
    expect(written).toBe(content);
    const find = page.getByLabel("Find");
    await find.fill("colour:red");
    await page.getByText("“colour” is not a filter.", { exact: false }).waitFor();
    await find.fill("agent:nobody");
    await page.getByRole("heading", { name: "No call has these values" }).waitFor();
    // A name with spaces and quotes is one value.
    const name = HOSTILE_TEXTS.slice(0, 30).find((text) => /["].*\s|\s.*["]/.test(text)) ?? "";
    await page.goto(`${scene.url}/usage?${DAY}&by=session`);
    await page
      .getByRole("table", { name: "Session" })
      .getByRole("link", { name, exact: true })
      .click();
    await page.getByRole("table", { name: "Model" }).waitFor();
    await expect.poll(async () => (await costsOf(page)).length).toBe(2);
  });

  it("[UI-580] counts days of the browser's time zone or of UTC, also those of 23 and 25 hours", async () => {
    const total = async (page: Page, query: string) => {
      await page.goto(`${scene.url}/usage?${query}`);
      return (await costsOf(page)).at(-1);
    };
    const page = await scene.signedIn("/usage", BERLIN);
    expect(await total(page, AUTUMN)).toBe(4320n);
    expect(await total(page, SPRING)).toBe(7_600_000n);
    expect(await total(page, `${AUTUMN}&time=utc`)).toBe(54_300n);
    expect(await total(page, `${SPRING}&time=utc`)).toBe(87_000_000n);
    await page.goto(`${scene.url}/usage?period=custom&from=2026-10-24&to=2026-10-26`);
    await page.getByText("As table").click();
    const days = page.getByRole("region", { name: "Cost for each day by Agent" });
    await days.waitFor();
    expect(await days.locator("tbody th").allInnerTexts()).toEqual(["24 Oct", "25 Oct", "26 Oct"]);
  });

  it("[UI-580] works with the keyboard alone, and shows a reply that arrives", async () => {
    const page = await scene.signedIn("/");
    await page.keyboard.press("g");
    await page.keyboard.press("u");
    await page.waitForURL(/\/usage/);
    const find = page.getByLabel("Find");
    await find.waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => find.evaluate((field) => field.matches(":focus"))).toBe(true);
    await page.keyboard.type("model:demo/echo");
    await page.getByRole("heading", { name: "No call has these values" }).waitFor();
    await scene.send("hello", "agent:main:seen");
    const row = page.getByRole("table", { name: "Agent" }).getByRole("link", { name: "main" });
    await row.waitFor();
    await row.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("table", { name: "Model" }).waitFor();
    await page.goto(`${scene.url}/usage?by=sender`);
    const senders = page.getByRole("table", { name: "Sender" });
    await senders.getByRole("link").first().waitFor();
    expect(await senders.innerText()).toMatch(/\S+:\S+/);
  });

  it("[UI-038] [UI-032] [UI-034] is closed with a reason for other tokens, and has no violation that axe-core finds", async () => {
    const { token } = await addToken(join(scene.place.state, "openclaw.json"), {
      name: "decider",
      scopes: ["operator.approvals"],
    });
    const { baseHash } = await scene.client.call("config.get", {});
    await scene.client.call("config.reload", { hash: baseHash });
    const closed = await scene.signedIn("/usage", {}, token);
    await closed.getByText("Your token does not have operator.read.").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      for (const path of [
        `/usage?${DAY}&by=session`,
        "/usage?q=agent:nobody",
        "/usage?by=tool&period=7",
      ]) {
        const page = await scene.signedIn(path, { colorScheme });
        await page.locator("main .headline").waitFor();
        await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
        expect(await violations(page), `${path} ${colorScheme}`).toEqual([]);
        for (const width of [320, 390, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
          expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
          if (width === 320) expect(await smallTargets(page), path).toEqual([]);
        }
        await page.close();
      }
    }
  });
});
