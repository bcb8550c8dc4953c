import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { writePlugin } from "@openclaw/foundation/testing";
import { startTelegramServer } from "@openclaw/platform-fakes";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { startBrowser } from "../../src/browser.js";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

/** Guard of the walk: it blocks commands that name a word, and its next version another one, too. */
const guard = (words: string) => `api.on("before_tool_call", ({ params }) =>
  ${words}.test(JSON.stringify(params)) ? { block: true, blockReason: "the guard forbids it" } : undefined);`;

/** Returns a port that is free now; a restarted gateway has to have the port of the page. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

const rail = (page: Page, name: RegExp) => page.locator("nav.rail").getByRole("link", { name });

it("[UI-762] [UI-761] is everything that a week needs: from an empty folder to a paired bot, a guarded agent, a report with an approval, a restored backup and an updated plugin", async () => {
  const steps: string[] = [];
  const began = performance.now();
  const step = (name: string) => steps.push(`${Math.round(performance.now() - began)} ms  ${name}`);
  const place = emptyPlace();
  onTestFinished(() => place[Symbol.dispose]());
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const plugin = join(place.workspace, "guard");
  writePlugin(plugin, { register: guard("/forbidden/"), manifest: { permissions: {} } });
  expect(existsSync(join(place.state, "openclaw.json"))).toBe(false);
  const port = String(await freePort());
  const gateway = await startGatewayProcess(place, ["--port", port]);
  onTestFinished(async () => void (await gateway.end("SIGKILL")));
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({
    ...{ viewport: { width: 1440, height: 900 }, locale: "en-GB", reducedMotion: "reduce" },
  });
  context.setDefaultTimeout(20_000);
  const faults: string[] = [];
  context.on("weberror", (error) => faults.push(error.error().message));
  const page = await context.newPage();
  const dialog = page.getByRole("dialog");

  await page.goto(gateway.url);
  await page.getByLabel("Gateway token").fill(gateway.token);
  await page.keyboard.press("Enter");
  await page.getByText("Live", { exact: true }).waitFor();
  step("sign in");

  const field = (key: string) =>
    page.locator(".field", { has: page.getByText(`channels.telegram.${key}`, { exact: true }) });
  await rail(page, /^Channels/).click();
  await page.getByRole("link", { name: "Set up telegram" }).click();
  await field("botToken").locator("input").fill(telegram.token);
  await field("apiRoot").getByRole("textbox").fill(telegram.url);
  await page.getByRole("button", { name: /^Review and save/ }).click();
  await dialog.getByRole("button", { name: /^Save/ }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Test telegram" }).click();
  await page.getByText("The platform accepts telegram.").waitFor();
  telegram.write({ text: "hi" });
  await rail(page, /^Channels/).click();
  await page.getByRole("button", { name: "Admit Alice" }).click();
  await page.getByRole("button", { name: "Admit Alice" }).waitFor({ state: "detached" });
  telegram.write({ text: "hello" });
  const sent = () => telegram.sent.map(({ text = "" }) => text).join("\n");
  await expect.poll(sent, { timeout: 20_000 }).toContain("hello");
  step("pair a Telegram bot");

  await rail(page, /^Plugins/).click();
  await page.getByRole("button", { name: "Install…" }).click();
  await dialog.getByLabel("Source").fill(plugin);
  await dialog.getByRole("button", { name: "Install" }).click();
  await page.getByText(/guard is active, generation \d+/).waitFor();
  telegram.write({ text: "run `echo forbidden`" });
  await expect.poll(sent, { timeout: 20_000 }).toContain("the guard forbids it");
  step("guard the agent");

  await rail(page, /^Routines/).click();
  await page.getByRole("button", { name: "New routine…" }).click();
  await dialog.getByLabel(/^Name/).fill("report");
  await dialog.getByLabel("Task", { exact: true }).fill("run `touch report.txt`");
  await dialog.getByLabel("Time", { exact: true }).fill("30 8 * * 1-5");
  const before = telegram.sent.length;
  const session = dialog.getByLabel("Session that gets the results");
  const key = "agent:main:telegram:direct:42";
  await expect.poll(() => dialog.locator(`datalist option[value="${key}"]`).count()).toBe(1);
  await session.fill(key);
  await dialog.getByLabel("success", { exact: true }).check();
  await dialog.getByText(/^Every weekday at 08:30/).waitFor();
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/cron\/[\w-]+$/);
  await page.getByRole("button", { name: "Run now" }).click();
  await rail(page, /^Approvals/).click();
  await page.getByRole("button", { name: /^Allow once/ }).click();
  await page.getByText("Allowed once by").waitFor();
  await rail(page, /^Routines/).click();
  await page.getByRole("link", { name: "report" }).first().click();
  const history = page.getByRole("table", { name: "History" });
  await history
    .getByText(/^(done|needs attention)/)
    .first()
    .waitFor();
  expect(existsSync(join(place.workspace, "report.txt"))).toBe(true);
  await history.getByText(/(?<!not )delivered/).waitFor();
  const reports = telegram.sent.slice(before).map(({ text = "" }) => text);
  expect(reports).toEqual([expect.stringContaining("exec answered:\n\n[Exit code 0 ")]);
  step("schedule a report, and approve its command");

  await rail(page, /^Health/).click();
  await page.getByRole("button", { name: "Back up now" }).click();
  const backups = page.getByRole("table", { name: "Backups" });
  const name = await backups.locator("code").first().textContent();
  await rail(page, /^Routines/).click();
  await page.getByRole("link", { name: "report" }).first().click();
  await page.getByRole("button", { name: "Remove…" }).click();
  await dialog.getByRole("button", { name: "Remove report" }).click();
  await page.getByText("No routines").waitFor();
  await rail(page, /^Health/).click();
  await page.getByRole("button", { name: `Restore ${name}` }).click();
  await dialog.getByText("What was stored since then is no longer shown").waitFor();
  await dialog.getByRole("button", { name: `Restore ${name}` }).click();
  await page.getByText(`${name} was restored`).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await rail(page, /^Routines/).click();
  await page.getByRole("link", { name: "report" }).first().waitFor();
  step("restore a backup");

  writePlugin(plugin, {
    register: guard("/forbidden|secret/"),
    manifest: { version: "2.0.0", permissions: { exec: ["git"] } },
  });
  await rail(page, /^Plugins/).click();
  await page.getByRole("link", { name: "guard", exact: true }).first().click();
  await page.getByRole("button", { name: "Update…" }).click();
  await dialog.getByRole("button", { name: "Update" }).click();
  await dialog.getByText("exec: git").waitFor();
  await dialog.getByRole("button", { name: "Accept 1 permission and load" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("2.0.0", { exact: false }).first().waitFor();
  telegram.write({ text: "run `echo secret`" });
  const denials = () => sent().split("the guard forbids it").length - 1;
  await expect.poll(denials, { timeout: 20_000 }).toBe(2);
  step("update a plugin");
  expect(faults).toEqual([]);
  if (process.env.OPENCLAW_WALK !== undefined) {
    writeFileSync(process.env.OPENCLAW_WALK, `${steps.join("\n")}\n`);
  }
}, 120_000);
