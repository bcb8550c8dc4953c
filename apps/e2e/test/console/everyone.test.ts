import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { violationsInThemes } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open({ agents: { main: { default: true }, research: {} } });
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

/** Every view and each of its tabs. */
const VIEWS = [
  ...["/", "/approvals", "/approvals/history", "/approvals/grants", "/approve/none"],
  ...["/chat", "/chat/agent%3Amain%3Anone", "/runs", "/runs/none", "/sessions"],
  ...["/jobs", "/jobs?view=list", "/jobs?view=tasks", "/jobs/none"],
  ...["/cron", "/cron?view=day&day=2026-11-30", "/cron/none"],
  ...["/memory", "/memory?path=none.md", "/memory?view=search&q=none", "/memory?view=profile"],
  ...["/memory?view=spaces", "/memory?view=connections"],
  ...["/plugins", "/plugins?view=problems", "/plugins?view=tools", "/plugins?tool=none"],
  ...["/plugins?id=none", "/plugins?id=guardrails&view=settings"],
  ...["/hooks", "/hooks?show=unusual", "/hooks?view=configured", "/hooks?hook=none"],
  ...["/channels", "/channels?view=people", "/channels?view=devices", "/channels?id=none"],
  ...["/policy?tool=none", "/policy?view=matrix", "/policy?view=what-if"],
  ...["/models", "/models?view=all&q=none", "/usage", "/usage?q=none", "/logs?q=none", "/health"],
  ...["/settings", "/settings/agents?q=none", "/settings/json5", "/none"],
];

/** Dialogs that a button of a view opens. */
const DIALOGS = [
  ["/sessions", "New session"],
  ["/jobs", "New job…"],
  ["/jobs/held", /^Send a prompt/],
  ["/cron", "New routine…"],
  ["/cron/daily", "Edit…"],
  ["/cron/daily", "Remove…"],
  ["/memory", "New document…"],
  ["/memory", "Import…"],
  ["/memory?path=notes.md", "Connect…"],
  ["/memory?view=profile", "Add a fact…"],
  ["/memory?view=spaces&space=seeds", "New space…"],
  ["/memory?view=spaces&space=seeds", "Add a document…"],
  ["/memory?view=spaces&space=seeds", "Delete…"],
  ["/plugins", "Install…"],
  ["/health", /^Remove openclaw/],
  ["/runs/last", /^Compare…/],
  ["/runs/last", /^Fork…/],
] as const;

/** Goes to a view as a link of the page does, and waits until it has read what it shows. */
async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await page.locator("footer[data-link=live]").waitFor({ state: "attached" });
  const shown = page.locator("main :is(h1, h2, p, [role=table], form)");
  await expect.poll(() => shown.count(), { message: path, timeout: 15_000 }).toBeGreaterThan(0);
  const busy = page.locator("[aria-busy=true]");
  await expect.poll(() => busy.count(), { message: path, timeout: 15_000 }).toBe(0);
}

const isFocused = (part: Locator) => part.evaluate((element) => element.matches(":focus"));

it("[UI-032] [UI-004] has no violation in any view of a gateway without data, in both themes", async () => {
  const page = await scene.signedIn("/");
  for (const path of VIEWS) {
    await visit(page, path);
    expect.soft(await violationsInThemes(page), path).toEqual([]);
  }
}, 240_000);

it("[UI-032] has no violation in any dialog, keeps the focus in it, and gives it back", async () => {
  const { client } = scene;
  await client.ready();
  await client.call("memory.write", { target: "notes.md", content: "notes" });
  await client.call("memory.createSpace", { space: "seeds" });
  const daily = { name: "daily", prompt: "look", cron: "0 8 * * *", tz: "UTC" };
  const { routineId } = await client.call("cron.add", daily);
  await client.call("backups.create", {});
  await scene.send("hello", "agent:main:one");
  const filter = { sessionKey: "agent:main:one", states: ["completed"] as const };
  const { runs } = await client.call("runs.list", filter);
  const asked = client.events({ names: ["approval.requested"] });
  const { jobId } = await client.call("jobs.create", { title: "run `git push --force`" });
  await asked.next();
  await asked.return();
  const places: Readonly<Record<string, string>> = {
    ...{ "/jobs/held": `/jobs/${jobId}`, "/cron/daily": `/cron/${routineId}` },
    "/runs/last": `/runs/${runs[0]?.runId}`,
  };
  const page = await scene.signedIn("/");
  for (const [path, name] of DIALOGS) {
    await visit(page, places[path] ?? path);
    const opener = page.getByRole("button", { name, exact: typeof name === "string" }).first();
    await opener.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    const place = `${path} ${name}`;
    expect.soft(await violationsInThemes(page), place).toEqual([]);
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("Tab");
    const holds = `document.activeElement === document.body ||
      document.activeElement.closest("dialog[open]") !== null`;
    expect.soft(await page.evaluate(holds), place).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => isFocused(opener), { message: place }).toBe(true);
  }
  const { approvals } = await client.call("approvals.list", {});
  for (const { id, digest } of approvals) {
    await client.call("approvals.resolve", { id, digest, decision: "deny" });
  }
}, 240_000);

it("[UI-033] [UI-042] is used with the keyboard alone from sign-in to sign-out", async () => {
  const page = await scene.page();
  await page.addInitScript(`for (const name of ["pointerdown", "mousedown", "touchstart"]) {
    addEventListener(name, () => { throw new Error("a pointer was used"); }, true);
  }`);
  await page.goto(scene.url);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (part: Locator) => {
    for (let step = 0; step < 60 && !(await isFocused(part)); step += 1) await press("Tab");
    expect(await isFocused(part)).toBe(true);
  };
  const at = (path: string) => page.waitForURL((url) => url.pathname.startsWith(path));
  const token = page.getByLabel("Gateway token");
  await token.waitFor();
  if (!(await isFocused(token))) await press("Tab");
  await expect.poll(() => isFocused(token)).toBe(true);
  await page.keyboard.insertText(scene.token);
  await press("Enter");
  await page.getByText("Live", { exact: true }).waitFor();

  // A message, and the request of its turn, which is decided in the inbox.
  await press("g", "c");
  await at("/chat");
  await page.getByRole("main").getByRole("heading").first().waitFor();
  await press("c");
  const dialog = page.getByRole("dialog");
  const start = dialog.getByRole("button", { name: "Start" });
  await start.waitFor();
  await tabTo(start);
  await press("Enter");
  await at("/chat/");
  const message = page.getByRole("textbox", { name: "Message" });
  await expect.poll(() => isFocused(message)).toBe(true);
  await page.keyboard.insertText('write "hello" to keyboard.txt');
  await press("Enter");
  await page.getByRole("log").getByText("keyboard.txt").first().waitFor();
  await page.locator("nav.rail .count").first().waitFor();
  // Tab leaves the field of the message, whose letters are letters.
  await press("Shift+Tab", "g", "a");
  await at("/approvals");
  const article = page.getByRole("article");
  await article.getByText("keyboard.txt").first().waitFor();
  await press("y");
  await article.getByText("Allowed once by").waitFor();

  // Its run, which is opened from the list.
  await press("g", "r");
  await at("/runs");
  await page.locator(".runs .row.act").first().waitFor();
  await press("j");
  await page.locator("[data-focus]").waitFor();
  await press("Enter");
  await at("/runs/");
  await page.locator(".wf .row.act").first().waitFor();
  // The key counts once the run has ended.
  await page
    .getByRole("button", { name: /replay/i })
    .first()
    .waitFor();
  await press("r");
  await page
    .getByText(/identical/)
    .first()
    .waitFor();

  // A view through the list of commands, and a filter.
  await press("Control+k");
  const commands = page.getByRole("dialog").getByRole("combobox");
  await commands.waitFor();
  await page.keyboard.insertText("Sessions");
  await page.getByRole("option", { name: "Sessions" }).first().waitFor();
  await press("Enter");
  await at("/sessions");
  const find = page.getByLabel("Find");
  await find.waitFor();
  await press("/");
  await expect.poll(() => isFocused(find)).toBe(true);
  await page.keyboard.insertText("nothing has this name");
  await expect.poll(() => page.locator(".sessions .row.act").count()).toBe(0);
  expect(page.url()).toContain("q=nothing");
  // The filter is there again after another view.
  await press("Shift+Tab", "g", "m");
  await at("/models");
  await press("g", "s");
  await at("/sessions");
  await expect.poll(() => find.inputValue()).toBe("nothing has this name");

  // A dialog, and the end.
  await press("g", "j");
  await at("/jobs");
  const create = page.getByRole("button", { name: "New job…" });
  await create.waitFor();
  await tabTo(create);
  await press("Enter");
  const title = dialog.getByLabel("Title", { exact: true });
  await title.waitFor();
  await tabTo(title);
  await page.keyboard.insertText("Say hello");
  await tabTo(dialog.getByRole("button", { name: "Create" }));
  await press("Enter");
  await page.waitForURL(/\/jobs\/[\w-]+$/);
  const end = page.getByRole("button", { name: "Sign out" });
  await tabTo(end);
  await press("Enter");
  await token.waitFor();
}, 60_000);
