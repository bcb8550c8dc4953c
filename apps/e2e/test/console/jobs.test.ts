import { join } from "node:path";
import { addToken } from "@openclaw/configuration";
import { type ModelServer, startChatServer } from "@openclaw/platform-fakes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { smallTargets, violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";
import { HOSTILE_TEXTS } from "./corpus/hostile-texts.js";

let model: ModelServer;
let scene: ConsoleScene;

beforeAll(async () => {
  model = await startChatServer([]);
  scene = await ConsoleScene.open(
    { models: { retry: { retries: 0 } }, routines: { timezone: "UTC" } },
    { LLM_BASE_URL: model.baseURL, LLM_MODEL: "fake", LLM_API_KEY: "test-key", TZ: "UTC" },
  );
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await model?.close();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Adds a token that reads only. */
async function readerToken(): Promise<string> {
  const file = join(scene.place.state, "openclaw.json");
  const { token } = await addToken(file, { name: "reader", scopes: ["operator.read"] });
  const { baseHash } = await scene.client.call("config.get", {});
  await scene.client.call("config.reload", { hash: baseHash });
  return token;
}

async function checkEveryone(page: Page, path: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await violations(page), `${path} ${colorScheme}`).toEqual([]);
  }
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect.soft(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
    if (width === 390) expect.soft(await smallTargets(page), path).toEqual([]);
  }
}

describe("empty jobs and routines", () => {
  it("[UI-556] [UI-558] [UI-032] say what fills them, and have no violation that axe-core finds", async () => {
    for (const [path, words] of [
      ["/jobs", "No jobs"],
      ["/jobs?view=list", "No jobs"],
      ["/cron?view=day&day=2020-02-02", "Nothing is due on this day"],
    ] as const) {
      const page = await scene.signedIn(path);
      await page.getByText(words).waitFor();
      await checkEveryone(page, path);
      await page.close();
    }
  });
});

describe("the jobs", () => {
  it("[UI-001] [UI-042] [UI-028] [UI-556] [GW-551] are created, followed live to their result, cancelled and created again, with the keyboard alone", async () => {
    const write = { id: "w", name: "write", arguments: '{"path":"report.txt","content":"all"}' };
    model.reply({ toolCalls: [write] }, { text: "The report is ready" });
    const page = await scene.signedIn("/jobs");
    await page.getByRole("button", { name: "New job…" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title", { exact: true }).fill("Write the report");
    await dialog.getByLabel(/^Task/).fill("Write a report about everything");
    await dialog.getByRole("button", { name: "Create" }).press("Enter");
    await page.waitForURL(/\/jobs\/[\w-]+$/);
    await page.getByText("waits for a decision").waitFor();
    const id = page.url().split("/").at(-1) ?? "";

    const board = await scene.signedIn("/jobs");
    const running = column(board, "In progress");
    await running.getByText("Write the report").waitFor();
    expect(await running.innerText()).toContain("waits for a decision");
    const { approvals } = await scene.client.call("approvals.list", {});
    const [asked] = approvals;
    if (asked === undefined) throw new Error("no request");
    const { digest } = await scene.client.call("approvals.get", { id: asked.id });
    await scene.client.call("approvals.resolve", { id: asked.id, digest, decision: "allow-once" });
    await page.getByText("The report is ready").waitFor();
    await page.getByText("report.txt").waitFor();
    await page.getByRole("table", { name: "Moves" }).getByText("pending → in progress").waitFor();
    expect(await page.getByRole("table", { name: "Runs" }).getByRole("link").count()).toBe(1);
    await expect.poll(() => running.innerText()).not.toContain("Write the report");
    const { actions } = await scene.client.call("jobs.get", { jobId: id });
    const bar = page.locator("header.bar");
    expect(actions).toEqual(["accept"]);
    expect(await bar.getByRole("button").innerText()).toBe("Accept");

    model.reply({ status: 400, message: "no such page" });
    const failing = await scene.client.call("jobs.create", { title: "Nightly check" });
    const failed = column(board, "Failed");
    await failed.getByText("no such page").waitFor();
    await board.locator("nav.rail .count[data-s=failed]").getByText("1").waitFor();
    model.reply({ text: "checked" });
    await failed.getByRole("button", { name: "Run again: Nightly check" }).press("Enter");
    await board.waitForURL((url) => /^\/jobs\/(?!$)/.test(url.pathname));
    expect(board.url()).not.toContain(failing.jobId);
    await board.getByText("checked").waitFor();

    model.reply({ toolCalls: [write] });
    const stopped = await scene.client.call("jobs.create", { title: "Never mind" });
    await board.goto(`${scene.url}/jobs?view=list&q=never`);
    await board.getByRole("table", { name: "Jobs" }).getByRole("link").waitFor();
    await board.locator("body").press("j");
    await board.locator("[data-focus]").waitFor();
    await board.keyboard.press("Enter");
    await board.waitForURL(`**/jobs/${stopped.jobId}`);
    await board.getByRole("button", { name: "Cancel: Never mind" }).press("Enter");
    await board.getByRole("button", { name: "Run again: Never mind" }).waitFor();
    const { state, actions: left } = await scene.client.call("jobs.get", { jobId: stopped.jobId });
    expect([state, left]).toEqual(["cancelled", ["restart"]]);
  });

  it("[UI-556] [UI-036] [UI-032] [UI-034] [UI-507] run no script of a task or a result, and can be used by everyone", async () => {
    model.reply({ text: HOSTILE_TEXTS.join("\n") });
    const description = HOSTILE_TEXTS.join("\n");
    const { jobId } = await scene.client.call("jobs.create", {
      ...{ title: HOSTILE_TEXTS[16] ?? "", description },
    });
    for (const path of ["/jobs", "/jobs?view=list", "/jobs?view=tasks", `/jobs/${jobId}`]) {
      const page = await scene.signedIn(path);
      await page.locator(".job, .rows .row:not(.head), .jtext").first().waitFor();
      await checkEveryone(page, path);
      expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
      await page.close();
    }
  });

  it("[UI-557] list the background tasks of the host, which are paused, resumed and run", async () => {
    const page = await scene.signedIn("/jobs?view=tasks");
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("button", { name: /^Pause: / }) });
    await row.first().waitFor();
    const name = (await row.first().locator("strong").innerText()).trim();
    await page.getByRole("button", { name: `Pause: ${name}` }).click();
    await page.getByRole("button", { name: `Resume: ${name}` }).waitFor();
    const pausedOf = async () =>
      (await scene.client.call("tasks.list", {})).tasks.find((task) => task.name === name)
        ?.isPaused;
    expect(await pausedOf()).toBe(true);
    await page.getByRole("button", { name: `Resume: ${name}` }).click();
    await page.getByRole("button", { name: `Pause: ${name}` }).waitFor();
    expect(await pausedOf()).toBe(false);
  });

  it("[UI-556] [UI-554] say to a reader what they may not do, and why", async () => {
    const token = await readerToken();
    const page = await scene.signedIn("/jobs", {}, token);
    const create = page.getByRole("button", { name: "New job…" });
    await expect.poll(() => create.getAttribute("title")).toContain("operator.write");
    await create.click({ force: true });
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.goto(`${scene.url}/jobs?view=tasks`);
    const pause = page.getByRole("button", { name: /^Pause: / }).first();
    await expect.poll(() => pause.getAttribute("title")).toContain("operator.admin");
    await page.goto(`${scene.url}/cron`);
    const add = page.getByRole("button", { name: "New routine…" });
    await expect.poll(() => add.getAttribute("title")).toContain("operator.write");
  });
});

describe("the routines", () => {
  it("[UI-028] [UI-558] are created with a preview, run, and say why they were silent; a day has everything that is due", async () => {
    const page = await scene.signedIn("/cron");
    await page.getByRole("button", { name: "New routine…" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Name/).fill("digest");
    await dialog.getByLabel("Task", { exact: true }).fill("Collect what is new");
    await dialog.getByLabel("Time", { exact: true }).fill("99 8 * * *");
    await dialog.getByText("SCHEDULE_INVALID").waitFor();
    await dialog.getByLabel("Time", { exact: true }).fill("30 8 * * 1-5");
    await dialog.getByText("Every weekday at 08:30 UTC:").waitFor();
    expect(await dialog.locator(".note li").count()).toBe(5);
    await dialog.getByRole("button", { name: "Create" }).press("Enter");
    await page.waitForURL(/\/cron\/[\w-]+$/);
    const next = page.locator(".nexts li");
    await expect.poll(() => next.count()).toBe(5);
    expect(await next.first().innerText()).toMatch(/\w{3} \d{4}-\d\d-\d\d 08:30[\s\S]*T08:30:00/);

    model.reply({ text: "ROUTINE_OK nothing new" });
    await page.getByRole("button", { name: "Run now" }).press("Enter");
    const history = page.getByRole("table", { name: "History" });
    await history.getByText("no message wanted").waitFor();
    expect(await history.innerText()).toMatch(/done · .*nothing new.*by a person/s);
    model.reply({ status: 400, message: "no quota left" });
    await page.getByRole("button", { name: "Run now" }).press("Enter");
    await history.getByText("no quota left").waitFor();
    await page.locator(".hist i[data-s=failed]").waitFor();

    await page.getByRole("button", { name: "Edit…" }).press("Enter");
    await dialog.getByLabel("Quiet hours").fill("08:00-09:00");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("quiet from 08:00 to 09:00").waitFor();
    await page.getByRole("switch", { name: "digest on" }).press("Space");
    await page.getByText(/Nothing is due: it is off/).waitFor();
    await page.getByRole("switch", { name: "digest on" }).press("Space");
    await expect.poll(() => next.count()).toBe(5);

    const { next: times, routineId } = await scene.client.call("cron.get", { routine: "digest" });
    const day = new Date(times[0]?.at ?? 0).toISOString().slice(0, 10);
    const today = await scene.signedIn(`/cron?view=day&day=${day}`, { timezoneId: "UTC" });
    const due = today.getByRole("table", { name: "Due times" });
    await due.getByText("will be skipped: quiet hours, 08:00 to 09:00").waitFor();
    await due.getByText("08:30").first().waitFor();
    await today.getByRole("button", { name: "Day after" }).click();
    await today.waitForURL((url) => url.searchParams.get("day") !== day);

    for (const path of ["/cron", `/cron?view=day&day=${day}`, `/cron/${routineId}`]) {
      const shown = await scene.signedIn(path, { timezoneId: "UTC" });
      await shown.locator(".rows .row:not(.head)").first().waitFor();
      await checkEveryone(shown, path);
      await shown.close();
    }
    await page.getByRole("button", { name: "Remove…" }).press("Enter");
    await dialog.getByRole("button", { name: "Remove digest" }).press("Enter");
    await page.waitForURL(/\/cron$/);
    const { routines } = await scene.client.call("cron.list", {});
    expect(routines.map(({ name }) => name)).not.toContain("digest");
  });
});
