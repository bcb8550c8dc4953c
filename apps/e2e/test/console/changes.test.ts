import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ModelServer,
  startChatServer,
  startTelegramServer,
  type TelegramServer,
} from "@openclaw/platform-fakes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";
import { KEYS, openTerminal } from "../../src/terminal-session.js";

const SESSION = "agent:main:changes";
const edit = (id: string, before: string, after: string) => ({
  toolCalls: [
    {
      ...{ id, name: "edit" },
      arguments: JSON.stringify({
        ...{ path: "src/invoice.ts", old_string: before, new_string: after },
      }),
    },
  ],
});

/** Plugin that transcribes recordings. */
const EARS = `export default { id: "ears", register(api) {
  api.on("transcribe_audio", async ({ audio }) => {
    const start = Buffer.from(await audio.read()).subarray(0, 4).toString("hex");
    return { handled: true, text: audio.mimeType + " that begins with " + start };
  });
} };`;

let model: ModelServer;
let telegram: TelegramServer;
let scene: ConsoleScene;

beforeAll(async () => {
  model = await startChatServer([]);
  const environment = { LLM_BASE_URL: model.baseURL, LLM_MODEL: "fake", LLM_API_KEY: "test-key" };
  telegram = await startTelegramServer();
  const { token: botToken, url: apiRoot } = telegram;
  const section = { botToken, apiRoot, dmPolicy: "open", owners: ["42"] };
  scene = await ConsoleScene.open({ channels: { telegram: section } }, environment, { ears: EARS });
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await telegram?.close();
  await model?.close();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const open = (sessionKey: string, options = {}) =>
  scene.signedIn(`/chat/${encodeURIComponent(sessionKey)}`, options);
const log = (page: Page) => page.getByRole("log");
const file = () => readFileSync(join(scene.place.workspace, "src/invoice.ts"), "utf8");

/** Sends a message whose turn edits the file, after the request was allowed. */
async function changeFile(id: string, before: string, after: string): Promise<void> {
  model.reply(edit(id, before, after), { text: `It is ${after}.` });
  const asked = await scene.ask(`make it ${after}`, SESSION);
  const { digest } = await scene.client.call("approvals.get", { id: asked });
  const ends = scene.client.events({ names: ["chat.final", "chat.error"] });
  await scene.client.call("approvals.resolve", { id: asked, digest, decision: "allow-once" });
  await ends.next();
  await ends.return();
}

describe("what a conversation changed", () => {
  it("[UI-537] is shown by file, and reverted by a call that waits for approval like any other", async () => {
    const original = file();
    await changeFile("one", "tax = 2", "tax = 19");
    await changeFile("two", "net = 1", "net = 3");
    expect(file()).not.toBe(original);
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open(SESSION, { colorScheme });
      await log(page).getByText("It is net = 3.").waitFor();
      await page.getByRole("button", { name: "Changes" }).click();
      await page.getByRole("article", { name: "src/invoice.ts" }).waitFor();
      expect(await violations(page), colorScheme).toEqual([]);
      for (const width of colorScheme === "light" ? [320, 390, 768, 1440] : []) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect(wide, `at ${width}`).toBeLessThanOrEqual(width);
      }
    }
    const page = await open(SESSION);
    await page.getByRole("button", { name: "Changes" }).click();
    const changed = page.getByRole("article", { name: "src/invoice.ts" });
    await expect.poll(() => changed.locator(".l.add").allInnerTexts()).toHaveLength(2);
    // The later change stays, and the earlier one is accepted.
    await changed.getByRole("button", { name: "Accept" }).first().click();
    await expect.poll(() => changed.locator(".l.add").allInnerTexts()).toHaveLength(1);
    await changed.getByRole("button", { name: "Revert" }).click();
    await changed.getByRole("button", { name: /Allow once/ }).waitFor();
    expect(file()).toContain("net = 3");
    await changed.getByRole("button", { name: /Allow once/ }).click();
    await expect.poll(file, { timeout: 60_000 }).toBe(original.replace("tax = 2", "tax = 19"));
    await page.getByText("You have accepted every change.").waitFor({ timeout: 60_000 });
    // The changes are asked for before the conversation was read.
    const held: (() => void)[] = [];
    let isHeld = true;
    await page.routeWebSocket(/./, (socket) => {
      const gateway = socket.connectToServer();
      gateway.onMessage((frame) => {
        const isHistory = isHeld && frame.toString().includes('"hasMore":');
        if (isHistory) held.push(() => socket.send(frame));
        else socket.send(frame);
      });
    });
    await page.reload();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Changes" }).click();
    await page.getByRole("heading", { name: "What changed" }).waitFor();
    isHeld = false;
    for (const send of held) send();
    await page.getByText("You have accepted every change.").waitFor();
  });
});

describe("a file that was written as a whole", () => {
  it("[UI-537] is reverted to the text that an earlier call of the conversation wrote", async () => {
    const session = "agent:main:whole";
    const written = () => readFileSync(join(scene.place.workspace, "whole.txt"), "utf8");
    for (const [id, content] of ["first text", "second text"].entries()) {
      const params = JSON.stringify({ path: "whole.txt", content });
      const call = { id: `w${id}`, name: "write", arguments: params };
      model.reply({ toolCalls: [call] }, { text: `It has the ${content}.` });
      const asked = await scene.ask(`write the ${content}`, session);
      const { digest } = await scene.client.call("approvals.get", { id: asked });
      const ends = scene.client.events({ names: ["chat.final", "chat.error"] });
      await scene.client.call("approvals.resolve", { id: asked, digest, decision: "allow-once" });
      await ends.next();
      await ends.return();
    }
    expect(written()).toBe("second text");
    const page = await open(session);
    await page.getByRole("button", { name: "Changes" }).click();
    const changed = page.getByRole("article", { name: "whole.txt" });
    const revert = changed.getByRole("button", { name: "Revert" });
    await revert.waitFor();
    // What was in the file before the first of them is not known.
    expect(await revert.count()).toBe(1);
    await revert.click();
    await changed.getByRole("button", { name: /Allow once/ }).click();
    await expect.poll(written, { timeout: 60_000 }).toBe("first text");
  });
});

describe("a fork of a conversation", () => {
  it("[UI-538] begins at a message, which becomes its draft, or after a reply, and leaves the original", async () => {
    const session = "agent:main:forked";
    model.reply({ text: "The first answer." }, { text: "The second answer." });
    await scene.send("The first question", session);
    await scene.send("The second question", session);
    const page = await open(session);
    const second = log(page).getByRole("article").filter({ hasText: "The second question" });
    await second.getByRole("button", { name: "Fork" }).click();
    await page.waitForURL(/agent%3Amain%3Afork%3A/);
    await log(page).getByText("The first answer.").waitFor();
    expect(await log(page).innerText()).not.toContain("second");
    const field = page.getByRole("textbox", { name: "Message" });
    expect(await field.inputValue()).toBe("The second question");
    model.reply({ text: "Another second answer." });
    await field.press("Enter");
    await log(page).getByText("Another second answer.").waitFor();
    await page.goBack();
    await log(page).getByText("The second answer.", { exact: true }).waitFor();
    expect(await log(page).innerText()).not.toContain("Another");
    const reply = log(page).getByRole("article").filter({ hasText: "The first answer." });
    await reply.getByRole("button", { name: "Fork" }).click();
    await log(page).getByText("The second answer.", { exact: true }).waitFor({ state: "detached" });
    await log(page).getByText("The first answer.").waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
  });
});

describe("a message with files", () => {
  it("[UI-542] gives the model the text of a file, and shows it folded, also after a reload", async () => {
    const session = "agent:main:files";
    model.reply({ text: "It was read." });
    const page = await open(session);
    await page.getByRole("textbox", { name: "Message" }).fill("Read this");
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# The notes") },
    });
    await page.getByRole("button", { name: "Remove notes.md" }).waitFor();
    await page.getByRole("button", { name: "Send message" }).click();
    await log(page).getByText("It was read.").waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("# The notes");
    await page.reload();
    await log(page).getByText("Read this", { exact: true }).waitFor();
    await log(page).getByText('[File "notes.md"]').click();
    await log(page).getByText("# The notes").waitFor();
  });

  it("[UI-011] [UI-567] has a voice message, which is recorded with a button and transcribed by a plugin", async () => {
    model.reply({ text: "It was heard." });
    const page = await open("agent:main:voice");
    await page.getByRole("button", { name: "Record a voice message" }).click();
    const stop = page.getByRole("button", { name: /^Stop the recording, 0:0[1-9]/ });
    await stop.click();
    const recorded = page.getByRole("button", { name: /^Remove Voice message 0\.0\d\.webm/ });
    await recorded.waitFor();
    await page.getByRole("button", { name: "Send message" }).click();
    await log(page).getByText("It was heard.").waitFor();
    const transcript =
      /\[Transcript of Voice message [\d.]+webm\] audio\/webm that begins with 1a45dfa3/;
    expect(JSON.stringify(model.requests.at(-1)?.body)).toMatch(transcript);
    await page.reload();
    await log(page).getByText(transcript).waitFor();
    // A microphone that the person does not allow is reported at the button.
    await page.evaluate(
      "navigator.mediaDevices.getUserMedia = async () => { throw new Error('denied'); }",
    );
    await page.getByRole("button", { name: "Record a voice message" }).click();
    await page.getByText("The browser does not let the console use a microphone.").waitFor();
  });

  it("[UI-011] [UI-542] takes files that are pasted and dropped, and rejects one that is too large before it is sent", async () => {
    const page = await open("agent:main:dropped");
    const give = (type: "paste" | "drop", name: string, size: number) =>
      page.evaluate(
        `{
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(${size}).fill(65)], "${name}", { type: "text/plain" }));
          const field = document.getElementById("message");
          field.dispatchEvent(${JSON.stringify(type)} === "paste"
            ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }`,
      );
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    await give("paste", "pasted.txt", 10);
    await page.getByRole("button", { name: "Remove pasted.txt" }).waitFor();
    await give("drop", "dropped.txt", 10);
    await page.getByRole("button", { name: "Remove dropped.txt" }).waitFor();
    await give("drop", "large.txt", 4_000_000);
    await page.getByRole("alert").filter({ hasText: "large.txt" }).waitFor();
    expect(await page.getByRole("button", { name: "Remove large.txt" }).count()).toBe(0);
  });

  it("[UI-542] shows the conversation of a subagent inside its call", async () => {
    const session = "agent:main:parent";
    const spawn = { id: "one", name: "sessions_spawn", arguments: '{"task":"count the files"}' };
    model.reply({ toolCalls: [spawn] }, { text: "It is on its way." }, { text: "There are two." });
    await scene.send("count them", session);
    const page = await open(session);
    const call = log(page).locator("details.tool").filter({ hasText: "sessions_spawn" }).first();
    await call.locator("summary").first().click();
    await call.getByText("Conversation of the subagent", { exact: true }).click();
    await call.getByText("count the files").last().waitFor();
    await call.getByRole("link", { name: "Open the conversation of the subagent" }).waitFor();
  });
});

describe("one conversation in the console, at a terminal and in a channel", () => {
  it("[UI-541] is the same in all, and a request that is answered in one closes in all", async () => {
    const write = (id: string) => ({
      toolCalls: [
        {
          ...{ id, name: "write" },
          arguments: JSON.stringify({ path: `${id}.txt`, content: "hello" }),
        },
      ],
    });
    model.reply({ text: "Hello Alice." });
    telegram.write({ text: "hello" });
    await expect.poll(() => telegram.sent.at(-1)?.text).toBe("Hello Alice.");
    const { sessions } = await scene.client.call("sessions.list", {});
    const sessionKey = sessions.find((each) => each.sessionKey.includes(":telegram:"))?.sessionKey;
    if (sessionKey === undefined) throw new Error("there is no session of the channel");
    const page = await open(sessionKey);
    await log(page).getByText("Hello Alice.").waitFor();
    const { workspace } = scene.place;
    scene.place.writeState({ "trusted-folders.json": JSON.stringify({ [workspace]: true }) });
    await using terminal = openTerminal(["chat", "--session", sessionKey], scene.place);
    await terminal.shows("Hello Alice.");
    await terminal.shows(/ready · /);

    const card = () => terminal.screen.filter((line) => line.startsWith("│ ")).join("\n");
    // The terminal says who decided, and lets go of the card with a key.
    const closes = async () => {
      await terminal.until(() => card().includes("was allowed once by"), "the decision");
      terminal.type(KEYS.enter);
      await terminal.until(() => card() === "", "no card");
    };

    // Answered in the console.
    model.reply(write("one"), { text: "The first file was written." });
    telegram.write({ text: "write the first file" });
    const buttons = () => telegram.sent.flatMap((each) => (each.buttons.length > 0 ? each : []));
    await expect.poll(() => buttons().length).toBe(1);
    await terminal.shows("[y]es");
    await log(page).getByText("write the first file").waitFor();
    await log(page).getByRole("button", { name: "Allow once" }).click();
    await log(page).getByText("The first file was written.").waitFor();
    await terminal.shows("The first file was written.");
    await expect.poll(() => telegram.sent.at(-1)?.text).toBe("The first file was written.");
    await expect.poll(() => buttons().length).toBe(0);
    await closes();

    // Answered in the channel.
    model.reply(write("two"), { text: "The second file was written." });
    telegram.write({ text: "write the second file" });
    await expect.poll(() => buttons().length).toBe(1);
    await log(page).getByRole("button", { name: "Allow once" }).waitFor();
    await terminal.until(() => card().includes("Write file?"), "the second request");
    const [request] = buttons();
    const label = request?.buttons.flat()[0]?.text ?? "";
    if (request !== undefined) telegram.press(request, label);
    await log(page).getByText("The second file was written.").waitFor();
    await log(page).getByRole("button", { name: "Allow once" }).waitFor({ state: "detached" });
    await terminal.shows("The second file was written.");
    await closes();

    // Said at the terminal.
    model.reply({ text: "Said by the model." });
    terminal.type(`said at the terminal${KEYS.enter}`);
    await terminal.shows("Said by the model.");
    await log(page).getByText("said at the terminal").waitFor();
    await log(page).getByText("Said by the model.").waitFor();
    expect(await log(page).getByText("Said by the model.").count()).toBe(1);
  });
});
