import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectGateway } from "@openclaw/client";
import { openDeviceKey } from "@openclaw/client/device-file";
import { addToken } from "@openclaw/configuration";
import { startTelegramServer, type TelegramServer } from "@openclaw/platform-fakes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { smallTargets, violations, violationsInThemes } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";
import { HOSTILE_TEXTS } from "./corpus/hostile-texts.js";

const HOSTILE = "<img src=x onerror=globalThis.__xss=1>";
const MALLORY = { id: 66, first_name: HOSTILE, username: "mallory" };

let telegram: TelegramServer;
let scene: ConsoleScene;

beforeAll(async () => {
  telegram = await startTelegramServer();
  scene = await ConsoleScene.open();
  await scene.client.ready();
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await telegram?.close();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const field = (page: Page, key: string) =>
  page.locator(".field", { has: page.getByText(`channels.telegram.${key}`, { exact: true }) });
const lastSent = () => telegram.sent.at(-1)?.text ?? "";
const admitted = async () =>
  (await scene.client.call("pairing.list", {})).admitted.map(({ senderId }) => senderId);

describe("the channels", () => {
  it("[UI-581] [GW-571] are set up in steps, tested, used to send a message, and people are admitted and revoked", async () => {
    const page = await scene.signedIn("/channels");
    await page.getByRole("link", { name: "Set up telegram" }).click();
    await page.getByText("@BotFather", { exact: false }).first().waitFor();
    const { steps } = await scene.client.call("channels.describe", { channel: "telegram" });
    const shown = page.locator(".channel-steps li");
    await expect.poll(() => shown.allTextContents()).toEqual(steps);
    await field(page, "botToken").locator("input").fill(telegram.token);
    await field(page, "apiRoot").getByRole("textbox").fill(telegram.url);
    await page.getByRole("button", { name: /^Review and save/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await dialog.waitFor({ state: "detached" });
    const written = readFileSync(join(scene.place.state, "openclaw.json"), "utf8");
    expect(written).toContain("secret:");
    expect(written).not.toContain(telegram.token);
    await page.getByRole("button", { name: "Test telegram" }).click();
    await page.getByText("The platform accepts telegram.").waitFor();

    // The first update ends the request with which the bot waits for updates.
    telegram.write({ text: "hi" });
    const state = page.getByRole("region", { name: "State" });
    await state.getByText("connected", { exact: true }).waitFor();
    telegram.addChat({ id: MALLORY.id, type: "private" });
    telegram.write({ text: "hi", from: MALLORY, chat: { id: MALLORY.id, type: "private" } });
    await page
      .locator("nav.rail")
      .getByRole("link", { name: /^Channels/ })
      .click();
    await page.getByText(HOSTILE).waitFor();
    await page.getByRole("button", { name: "Admit Alice" }).waitFor();
    const { pending } = await scene.client.call("pairing.list", {});
    const alice = pending.find(({ senderId }) => senderId === "42");
    await page.getByText(alice?.code ?? "no code", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Admit Alice" }).click();
    await expect.poll(admitted).toEqual(["42"]);
    await page.getByRole("button", { name: `Admit ${HOSTILE}` }).click();
    await expect.poll(admitted).toHaveLength(2);
    telegram.write({ text: "hello" });
    await expect.poll(lastSent, { timeout: 15_000 }).toContain("hello");

    await page
      .getByRole("table", { name: "Channels" })
      .getByRole("link", { name: "telegram" })
      .click();
    await page.getByRole("button", { name: "Send a message" }).click();
    await dialog.getByLabel("Conversation or person").fill("42");
    await dialog.getByLabel("Message").fill("from the console");
    await dialog.getByRole("button", { name: "Send to 42 on telegram" }).click();
    await dialog.getByText("Sent to 42").waitFor();
    expect(lastSent()).toBe("from the console");
    await dialog.getByLabel("Conversation or person").fill("4040404");
    await dialog.getByLabel("Message").fill("to nobody");
    await dialog.getByRole("button", { name: "Send to 4040404 on telegram" }).click();
    await dialog.getByText("CHANNEL_ACTION_FAILED").waitFor();
    expect.soft(await violationsInThemes(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await page.goto(`${scene.url}/channels?view=people`);
    await page.getByRole("button", { name: "Revoke Alice" }).click();
    await page.getByText("Alice may no longer write").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: `Revoke ${HOSTILE}` }).click();
    await page.getByText(`${HOSTILE} may no longer write`).waitFor();
    // Leaving the page revokes at once.
    await page.goto(`${scene.url}/`);
    await expect.poll(admitted).toEqual(["42"]);
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
  });

  it("[UI-581] approve devices with their code, rename and revoke them, with the keyboard alone", async () => {
    const device = openDeviceKey(join(scene.place.workspace, "device.pem"), { name: "phone" });
    const phone = connectGateway({
      ...{ url: scene.url, device },
      client: { id: "phone", version: "1", mode: "node" },
    });
    try {
      const page = await scene.signedIn("/");
      await page.keyboard.press("g");
      await page.keyboard.press("t");
      await page.waitForURL(/\/channels/);
      await page.getByRole("link", { name: /^Devices/ }).press("Enter");
      const approve = page.getByRole("button", { name: "Approve phone" });
      await approve.press("Enter");
      const dialog = page.getByRole("dialog");
      const [listed] = (await scene.client.call("devices.list", {})).devices;
      await dialog.getByText(listed?.code ?? "no code", { exact: false }).waitFor();
      expect.soft(await violationsInThemes(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Approve" }).press("Enter");
      await dialog.waitFor({ state: "detached" });
      await phone.ready();
      await page.getByText("connected now", { exact: false }).waitFor();
      await page.getByRole("button", { name: "Rename phone" }).press("Enter");
      const name = HOSTILE_TEXTS[0]?.slice(0, 40) ?? "";
      await dialog.getByLabel("Name").fill(name);
      expect.soft(await violationsInThemes(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: `Revoke ${name}` }).press("Enter");
      await dialog.getByRole("button", { name: "Revoke" }).press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByText("· revoked", { exact: false }).waitFor();
      await expect.poll(() => phone.state.status).not.toBe("live");
      expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
    } finally {
      phone.close();
    }
  });

  it("[UI-038] [UI-581] tells a token without operator.admin what is closed, and the gateway rejects the same", async () => {
    const { token } = await addToken(join(scene.place.state, "openclaw.json"), {
      name: "reader",
      scopes: ["operator.read"],
    });
    const { baseHash } = await scene.client.call("config.get", {});
    await scene.client.call("config.reload", { hash: baseHash });
    const page = await scene.signedIn("/channels", {}, token);
    await page.getByText("your token does not have operator.admin", { exact: false }).waitFor();
    await page.getByRole("table", { name: "Channels" }).waitFor();
    const answer = await page.request.post(`${scene.url}/api/v1/channels/send`, {
      headers: { authorization: `Bearer ${token}`, "idempotency-key": "one" },
      data: { channel: "telegram", conversationId: "42", text: "no" },
    });
    expect(answer.status()).toBe(403);
  });

  it("[UI-032] [UI-034] have no violation that axe-core finds, and fit into 320 px", async () => {
    telegram.addChat({ id: 77, type: "private" });
    const person = { id: 77, first_name: "Grace", username: "grace" };
    telegram.write({ text: "hi", from: person, chat: { id: 77, type: "private" } });
    for (const colorScheme of ["light", "dark"] as const) {
      for (const path of [
        "/channels",
        "/channels?view=people",
        "/channels?view=devices",
        "/channels?id=telegram",
      ]) {
        const page = await scene.signedIn(path, { colorScheme });
        await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
        await page.locator("main :is(.rows, .split, .pairing, .empty)").first().waitFor();
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
