import { type ModelServer, startChatServer } from "@openclaw/platform-fakes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { KEYS, openTerminal } from "../../src/terminal-session.js";

const ESCAPE = "\u001b[";
/** Ctrl-D. */
const END_OF_INPUT = "\u0004";
const MARKDOWN = "# Title\n\n**bold** and `code`";

let model: ModelServer;
let place: Place;

beforeAll(async () => {
  model = await startChatServer([]);
  place = emptyPlace({
    LLM_BASE_URL: model.baseURL,
    LLM_MODEL: "fake",
    LLM_API_KEY: "test-key",
  });
  place.writeState({ "trusted-folders.json": JSON.stringify({ "/": true }) });
});

afterAll(async () => {
  await model.close();
  place[Symbol.dispose]();
});

describe("chat in a pipe", () => {
  it("[CHAN-019] [CHAN-020] sends its input at the end of it, and prints the reply as it is, without colours", async () => {
    model.reply({ text: MARKDOWN });
    const { exitCode, stdout, stderr } = await openclawProcess(["chat", "--new"], {
      ...place,
      input: "hello\n",
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${MARKDOWN}\n` });
    expect(stderr).not.toContain(ESCAPE);
  });

  it("[GW-044] rejects an empty message", async () => {
    const { exitCode, stderr } = await openclaw(["chat", "-m", " "], place);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("the message is empty; write it after -m");
  });

  it("[CHAN-021] cuts the lines of tools at 200 characters, and does not take its input as an approval", async () => {
    const command = `touch ${"x".repeat(300)}`;
    model.reply(
      { toolCalls: [{ id: "c1", name: "exec", arguments: JSON.stringify({ command }) }] },
      { text: "It was denied." },
    );
    const { exitCode, stdout, stderr } = await openclawProcess(["chat", "--new"], {
      ...place,
      input: "make it\ny\n",
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 77, stdout: "It was denied.\n" });
    const lines = stderr.split("\n").filter((line) => /^[→✓✗] /.test(line));
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual("✗ ".length + 203);
    expect(lines[0]).toMatch(/x{100}\.\.\.$/);
    expect(lines[1]).toContain("no approver reachable");
  });

  it("[TURN-460] [GW-044] ends with 77 without an approver, prints the reply, and names the tools, also as JSON", async () => {
    const exec = { id: "c1", name: "exec", arguments: '{"command":"touch made"}' };
    const script = [{ toolCalls: [exec] }, { text: "I could not." }];
    model.reply(...script, ...script);
    const text = await openclaw(["chat", "--new", "-m", "make it"], place);
    expect(text).toMatchObject({ exitCode: 77, stdout: "I could not.\n" });
    expect(text.stderr).toContain(
      "not done: a call of exec needed an approval, and no approver decided",
    );
    const json = await openclaw(["chat", "--new", "--json", "-m", "make it"], place);
    expect(json.exitCode).toBe(77);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ ok: true, text: "I could not.", unapprovedTools: ["exec"] },
    });
  });
});

describe("chat at a terminal", () => {
  it("[CHAN-019] [CHAN-020] shows Markdown in its form, as it is with NO_COLOR, and ends with 0 by the end of input", async () => {
    model.reply({ text: MARKDOWN }, { text: MARKDOWN });
    await using formatted = openTerminal(["chat", "--new"], place);
    await formatted.shows(/ready · /);
    formatted.type(`hello${KEYS.enter}`);
    await formatted.shows(/bold and code/);
    expect(formatted.output).toContain(`${ESCAPE}1m`);
    formatted.type(END_OF_INPUT);
    await formatted.shows("again to leave");
    formatted.type(END_OF_INPUT);
    expect(await formatted.ended()).toBe(0);

    const environment = { ...place.environment, NO_COLOR: "1" };
    await using plain = openTerminal(["chat", "--new"], { ...place, environment });
    await plain.shows("you ›");
    plain.type(`hello${KEYS.enter}`);
    await plain.shows("**bold** and `code`");
    expect(plain.output).not.toContain(`${ESCAPE}1m`);
    await plain.until(() => plain.text.split("you ›").length === 3);
    plain.type(END_OF_INPUT);
    expect(await plain.ended()).toBe(0);
  });

  it("[GW-082] [APPR-061] clears its line with Ctrl-C, asks before it leaves, and shows a command as typed, with NO_COLOR", async () => {
    const environment = { ...place.environment, NO_COLOR: "1" };
    await using chat = openTerminal(["chat", "--new"], { ...place, environment });
    await chat.shows("you ›");
    const exec = { id: "c1", name: "exec", arguments: '{"command":"mkdir made && ls"}' };
    model.reply({ toolCalls: [exec] }, { text: "not made" });
    chat.type(`make it${KEYS.enter}`);
    await chat.shows("[y]es, [n]o, [a]lways");
    for (const line of [
      /^ {2}command {2}mkdir made && ls$/m,
      /^ {2}because {2}mkdir made: no rule allows mkdir$/m,
      /^ {2}folder {3}\S+$/m,
      /^ {2}always {3}allows .* in this session$/m,
    ]) {
      expect(chat.text).toMatch(line);
    }
    chat.type(`n${KEYS.enter}`);
    await chat.shows(/not made\nyou ›/);
    chat.type("half a line");
    await chat.shows("you › half a line");
    chat.type(KEYS.ctrlC);
    await chat.until(() => !chat.screen.join("\n").includes("half a line"));
    chat.type(KEYS.ctrlC);
    await chat.shows("press Ctrl-C again to leave; ");
    chat.type(KEYS.ctrlC);
    expect(await chat.ended()).toBe(0);
  });

  it("[CHAN-020] ends with 0 by /quit", async () => {
    await using chat = openTerminal(["chat", "--new"], place);
    await chat.shows(/ready · /);
    chat.type(`/quit${KEYS.enter}`);
    expect(await chat.ended()).toBe(0);
  });
});
