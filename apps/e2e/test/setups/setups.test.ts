import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";
import {
  startChatServer,
  startTelegramServer,
  type TelegramServer,
} from "@openclaw/platform-fakes";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const SETUPS = fileURLToPath(new URL("../../../../docs/examples/setups/", import.meta.url));
const ALICE = 42;
const BOT = "@helper_bot";
const GROUP = -1_001_234_567_890;
const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 60_000);

/** A place in which a setup is the configuration, as a person copies it. */
function placeOf(setup: string, environment: Readonly<Record<string, string>> = {}): Place {
  const place = emptyPlace(environment);
  onTestFinished(() => place[Symbol.dispose]());
  const file = join(SETUPS, setup, "openclaw.json5");
  place.writeState({ "openclaw.json": readFileSync(file, "utf8") });
  return place;
}

/** A setup with Telegram, whose gateway runs. */
async function withTelegram(setup: string) {
  const telegram = await startTelegramServer();
  const place = placeOf(setup, { TELEGRAM_API_ROOT: telegram.url, TELEGRAM_OWNER: String(ALICE) });
  await openclaw(["secrets", "set", "TELEGRAM_BOT_TOKEN"], { ...place, input: telegram.token });
  const gateway = await startGateway(place);
  onTestFinished(async () => {
    telegram.dropPoll();
    await gateway[Symbol.asyncDispose]();
    await telegram.close();
  });
  return { telegram, place };
}

/** Waits for a message of the bot whose text matches, in a chat. */
function sent(telegram: TelegramServer, pattern: RegExp, chatId = ALICE) {
  return eventually(() => {
    const found = telegram.sent.find((each) => each.chatId === chatId && pattern.test(each.text));
    if (found === undefined) throw new Error(JSON.stringify(telegram.sent));
    return found;
  });
}

/** Names of the tools in a request to a model. */
function toolsOf(body: unknown): readonly string[] {
  const { tools } = body as {
    readonly tools: readonly { readonly function: { readonly name: string } }[];
  };
  return tools.map((tool) => tool.function.name).sort();
}

describe("a setup of docs/examples/setups", () => {
  it("[GW-582] assistant: answers its owner on Telegram, remembers, reminds and asks; others get a code", async () => {
    const { telegram, place } = await withTelegram("assistant");
    telegram.write({ text: "remember that I like green tea" });
    await sent(telegram, /stored/i);
    const found = await openclaw(["memory", "search", "what do I like"], place);
    expect(found.stdout).toContain("green tea");
    telegram.write({ text: "/cron add tea at in 20 minutes: remind me of the tea" });
    await sent(telegram, /tea/);
    telegram.write({ text: "run `touch made.txt`" });
    const card = await sent(telegram, /touch made\.txt/);
    telegram.press(card, "Allow once");
    await eventually(() => expect(existsSync(join(place.workspace, "made.txt"))).toBe(true));
    const bob = { id: 7, is_bot: false, first_name: "Bob" };
    telegram.write({ text: "hi", from: bob });
    await sent(telegram, /pairing/i, bob.id);
    const listed = await openclaw(["pairing", "list"], place);
    expect(listed.stdout).toContain("Bob (7)");
  });

  it("[GW-582] team: answers members of the group when it is mentioned, without commands; the owner decides writes", async () => {
    const { telegram, place } = await withTelegram("team");
    const chat = { id: GROUP, type: "supergroup", title: "Team" };
    const bob = { id: 7, is_bot: false, first_name: "Bob" };
    const ask = (text: string) => {
      const entities = [{ type: "mention", offset: 0, length: BOT.length }];
      telegram.write({ text: `${BOT} ${text}`, entities, from: bob, chat });
    };
    telegram.write({ text: "what time is it", from: bob, chat });
    ask("run `touch made.txt`");
    await sent(telegram, /./, GROUP);
    ask('write "bring cups" to cups.txt');
    const card = await sent(telegram, /cups\.txt/, GROUP);
    telegram.press(card, "Allow once");
    await eventually(() => expect(existsSync(join(place.workspace, "cups.txt"))).toBe(true));
    expect(existsSync(join(place.workspace, "made.txt"))).toBe(false);
    await sent(telegram, /Created cups\.txt/, GROUP);
    // No command, the request, its decision and the reply; the message without a mention has no answer.
    const texts = telegram.sent.filter(({ chatId }) => chatId === GROUP).map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringContaining("exec is not available"),
      expect.stringContaining("Allowed once by telegram:42"),
      expect.stringContaining("is allowed once"),
      expect.stringContaining("Created cups.txt"),
    ]);
  });

  it("[GW-582] coding: runs commands in the sandbox", async () => {
    const place = placeOf("coding");
    // The sandbox has its own /dev, below which the other folders of the tests are.
    const workspace = mkdtempSync("/var/tmp/openclaw-setup-");
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    writeFileSync(join(workspace, "index.js"), "export {};");
    const answer = await openclaw(["chat", "-m", "run `ls`"], { ...place, workspace });
    expect(answer).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("index.js") });
  });

  it("[GW-582] triage: files what a webhook brings, with no tool but those for files", async () => {
    const model = await startChatServer([
      {
        toolCalls: [
          {
            ...{ id: "call-1", name: "write" },
            arguments: JSON.stringify({
              path: "tickets/7.md",
              content: "Printer is on fire. Priority 1.",
            }),
          },
        ],
      },
      { text: "Filed." },
    ]);
    const folder = temporaryFolder("tickets");
    const place = placeOf("triage", {
      ...{
        TRIAGE_FOLDER: folder.path,
        LLM_BASE_URL: model.baseURL,
        LLM_MODEL: "fake",
        LLM_API_KEY: "test-key",
      },
    });
    const token = "a-token-of-the-ticket-system";
    await openclaw(["secrets", "set", "TICKET_TOKEN"], { ...place, input: token });
    const gateway = await startGateway(place);
    onTestFinished(async () => {
      await gateway[Symbol.asyncDispose]();
      await model.close();
      folder[Symbol.dispose]();
    });
    const post = (authorization: string) =>
      fetch(`${gateway.url}/hooks/ticket`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ id: 7, title: "Printer", text: "It is on fire." }),
      });
    expect((await post("Bearer wrong")).status).toBe(401);
    expect((await post(`Bearer ${token}`)).status).toBe(202);
    const file = join(folder.path, "tickets/7.md");
    await eventually(() => expect(readFileSync(file, "utf8")).toContain("Priority 1"));
    // Write stands for each tool that changes files of the workspace.
    expect(toolsOf(model.requests[0]?.body)).toEqual([
      "apply_patch",
      "edit",
      "grep",
      "list",
      "read",
      "write",
    ]);
  });
});
