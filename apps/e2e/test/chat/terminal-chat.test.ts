import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { sharedChatFixture } from "../../src/chat-fixture.js";
import { createGate } from "../../src/gate.js";
import { KEYS, openTerminal } from "../../src/terminal-session.js";

const chats = sharedChatFixture();

describe("chat at a terminal", () => {
  it("[GW-080] sends all 200 lines of a paste as one message", async () => {
    await using chat = await chats.openChat();
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
    chats.model.reply({ text: "all read" });
    chat.paste(lines.join("\n"));
    await chat.shows(/\[paste #1 \+200 lines\]/);
    chat.type(KEYS.enter);
    await chat.shows("all read");
    expect(chats.lastUserText()).toBe(JSON.stringify(lines.join("\n")));
    // The conversation shows a short form, until the user expands it.
    expect(chat.text).toMatch(/you › \[pasted 200 lines\] \(Ctrl-O shows all\)\n/);
    expect(chat.text).not.toContain("line 100\n");
    chat.type(KEYS.ctrlO);
    await chat.shows(/\nline 100\nline 101\n/);
  });

  it("[GW-080] queues what is typed during a turn, and shows it until its turn begins", async () => {
    await using chat = await chats.openChat();
    const first = createGate();
    chats.model.reply(
      { text: "reply one", hold: { afterEvents: 2, until: first.until } },
      { text: "reply two" },
    );
    chat.type(`first${KEYS.enter}`);
    await chat.shows(/working .*Ctrl-C interrupts/);
    chat.type(`second${KEYS.enter}half a draft`);
    await chat.shows(/queued › second/);
    first.open();
    await chat.shows(/you › second\n+reply two/);
    expect(chat.text).not.toContain("queued ›");
    expect(chats.lastUserText()).toBe('"second"');
    // The draft that was typed meanwhile is still there.
    await chat.shows(/\nhalf a draft\n/);
  });

  it("[GW-080] shows that what is typed during a turn joins it, where the conversation steers", async () => {
    const sessionKey = "agent:main:steered";
    const client = createGatewayClient({ url: chats.gateway.url, token: chats.gateway.token });
    await client.call("sessions.create", { sessionKey, queueMode: "steer" });
    await using chat = openTerminal(["chat", "--session", "steered"], chats.place);
    await chat.shows(/ready · /);
    const first = createGate();
    const echo = { id: "c1", name: "echo", arguments: '{"message":"tick"}' };
    chats.model.reply(
      { toolCalls: [echo], hold: { afterEvents: 1, until: first.until } },
      { text: "both answered" },
    );
    chat.type(`first${KEYS.enter}`);
    await chat.shows(/working .*Ctrl-C interrupts/);
    chat.type(`second${KEYS.enter}`);
    await chat.shows(/joins the turn › second/);
    first.open();
    await chat.shows("both answered");
    await chat.shows(/ready · /);
    expect(chat.text).not.toContain("joins the turn ›");
    expect(chat.text).toMatch(/you › second\n+both answered/);
    expect(chats.lastUserText()).toBe('"second"');
  });

  it("[GW-047] [GW-080] keeps a draft through an approval card and a resize", async () => {
    await using chat = await chats.openChat();
    const held = createGate();
    chats.model.reply(
      { toolCalls: [writeCall("draft.txt", "kept")], hold: { afterEvents: 1, until: held.until } },
      { text: "written" },
      { text: "draft received" },
    );
    chat.type(`write it${KEYS.enter}`);
    await chat.shows(/working/);
    chat.type("my draft");
    await chat.shows(/\nmy draft\n/);
    held.open();
    await chat.shows("Press Tab to decide.");
    chat.resize({ columns: 60, rows: 24 });
    await chat.until(() => chat.screen.includes("my draft"));
    chat.type(`${KEYS.tab}y`);
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows("written");
    await chat.until(() => chat.screen.includes("my draft"));
    chat.type(KEYS.enter);
    await chat.shows("draft received");
    expect(chats.lastUserText()).toBe('"my draft"');
    expect(readFileSync(join(chats.place.workspace, "draft.txt"), "utf8")).toBe("kept");
  });

  it("[GW-080] [GW-081] puts what is typed for the input while a card has the keys into the input, from its first letter on", async () => {
    await using chat = await chats.openChat();
    chats.model.reply(
      { toolCalls: [writeCall("typed.txt", "no")] },
      { text: "not written" },
      { text: "all of it received" },
    );
    chat.type(`write it${KEYS.enter}`);
    await chat.shows("other text goes to the input");
    chat.type("now explain");
    await chat.shows(/\nnow explain\n/);
    await chat.shows("Press Tab to decide.");
    chat.type(`${KEYS.tab}n`);
    await chat.shows("Enter confirms");
    // The rest of the word is part of the answer, and a paste is not.
    chat.type("o");
    chat.paste(" it\nin detail");
    await chat.shows(/now explainno it\n *in detail\n/);
    chat.type(`${KEYS.tab}no`);
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows("not written");
    chat.type(KEYS.enter);
    await chat.shows("all of it received");
    expect(chats.lastUserText()).toBe(JSON.stringify("now explainno it\nin detail"));
  });

  it("[GW-081] does not send a key press for a request that was decided elsewhere", async () => {
    await using chat = await chats.openChat();
    chats.model.reply({ toolCalls: [writeCall("late.txt", "no")] }, { text: "not written" });
    chat.type(`write it${KEYS.enter}`);
    await chat.shows("[y]es");
    chat.type("y");
    await chat.shows("Enter confirms");
    await chats.denyPending();
    await chat.shows("Press Enter to continue.");
    const requests = chats.model.requests.length;
    chat.type(`yes${KEYS.enter}`);
    await chat.until(() => !chat.screen.join("\n").includes("Press Enter to continue."));
    await chat.shows("not written");
    chats.model.reply({ text: "still here" });
    chat.type(`next${KEYS.enter}`);
    await chat.shows("still here");
    expect(chats.lastUserText()).toBe('"next"');
    expect(chats.model.requests.length - requests).toBeLessThanOrEqual(2);
  });

  it.each([60, 80, 160])(
    "[APPR-055] [GW-047] shows a change as a diff with context, at %i columns",
    async (columns) => {
      const lines = Array.from({ length: 40 }, (_, index) => `const value${index} = ${index};`);
      chats.place.writeWorkspace({ "code.ts": `${lines.join("\n")}\n` });
      await using chat = await chats.openChat({ columns, rows: 30 });
      const long = `const value20 = ${"1 + ".repeat(30)}1;`;
      const edit = { path: "code.ts", old_string: "const value20 = 20;", new_string: long };
      chats.model.reply(
        { toolCalls: [{ id: "c1", name: "edit", arguments: JSON.stringify(edit) }] },
        { text: "edited" },
      );
      chat.type(`edit it${KEYS.enter}`);
      await chat.shows("[y]es");
      const card = chat.text
        .split("\n")
        .flatMap((line) => (line.startsWith("│ ") ? [line.slice(2)] : []));
      expect(card).toContain("--- a/code.ts");
      expect(card).toContain(" const value19 = 19;");
      expect(card).toContain("-const value20 = 20;");
      expect(card).not.toContain(" const value16 = 16;");
      const added = card.filter((line) => line.startsWith("+") && !line.startsWith("+++"));
      expect(
        added
          .map((line) => line.slice(1))
          .join("")
          .replaceAll(" ", ""),
      ).toBe(long.replaceAll(" ", ""));
      for (const line of chat.screen) expect([...line].length).toBeLessThanOrEqual(columns);
      chat.type(`n`);
      await chat.shows("Enter confirms");
      chat.type(KEYS.enter);
      await chat.shows("edited");
    },
  );

  it("[APPR-055] fails a change that cannot be applied before anyone is asked", async () => {
    chats.place.writeWorkspace({ "other.ts": "one\n" });
    await using chat = await chats.openChat();
    const edit = { path: "other.ts", old_string: "two", new_string: "three" };
    chats.model.reply(
      { toolCalls: [{ id: "c1", name: "edit", arguments: JSON.stringify(edit) }] },
      { text: "could not" },
    );
    chat.type(`edit it${KEYS.enter}`);
    await chat.shows("could not");
    expect(chat.text).toContain("old_string does not occur");
    expect(chat.output).not.toContain("[y]es");
  });

  it("[GW-047] [TURN-060] asks before it reads outside the workspace, and always allows that path only", async () => {
    using outside = temporaryFolder("outside");
    const folder = realpathSync(outside.path);
    const [one, two] = [join(folder, "one.txt"), join(folder, "two.txt")];
    writeFileSync(one, "content of one");
    writeFileSync(two, "content of two");
    const read = (id: string, path: string) => ({
      ...{ id, name: "read", arguments: JSON.stringify({ path }) },
    });
    const secrets = join(folder, ".env");
    writeFileSync(secrets, "TOKEN=secret");
    await using chat = await chats.openChat();
    chats.model.reply(
      { toolCalls: [read("c1", one)] },
      { toolCalls: [read("c2", one)] },
      { toolCalls: [read("c3", secrets), read("c4", join(chats.place.state, "openclaw.json"))] },
      { toolCalls: [read("c5", two)] },
      { text: "all done" },
    );
    chat.type(`read them${KEYS.enter}`);
    await chat.shows("[y]es");
    expect(chat.text.replaceAll(/\n│ /g, " ")).toContain(
      `Reads ${one}, which is outside the workspace.`,
    );
    expect(JSON.stringify(chats.model.requests.at(-1)?.body)).not.toContain("content of one");
    chat.type("a");
    await chat.until(() =>
      chat.text.replaceAll(/\n│ /g, " ").includes(`Allows read of ${one} in this session`),
    );
    chat.type(KEYS.enter);
    // The grant covers the second call, and closed paths are refused without a request; the next one is for `two`.
    await chat.until(() => chat.text.replaceAll(/\n│ /g, " ").includes(`Reads ${two}, `));
    const seen = JSON.stringify(chats.model.requests.at(-1)?.body);
    expect(seen.match(/content of one/g)).toHaveLength(2);
    expect(seen).not.toContain("TOKEN=secret");
    expect(seen).toContain("Tool call denied by safety rule dotenv_access");
    expect(seen).toContain("is outside the workspace. Use a path inside one of these folders");
    chat.type("n");
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows("all done");
    expect(JSON.stringify(chats.model.requests.at(-1)?.body)).not.toContain("content of two");
  });

  it("[APPR-056] [GW-047] grants what the sentence of always says, with a prefix and scope that can be edited", async () => {
    await using chat = await chats.openChat();
    chats.model.reply(
      {
        toolCalls: [{ id: "c1", name: "exec", arguments: '{"command":"git add README.md"}' }],
      },
      { text: "ran" },
    );
    chat.type(`run it${KEYS.enter}`);
    await chat.shows("[a]lways");
    chat.type("a");
    await chat.shows(/Allows commands that start with git add/);
    await chat.shows("in this session");
    chat.type(` README.md${KEYS.tab}`);
    await chat.shows(/start with git add README.md/);
    await chat.shows("for this agent, in every session");
    chat.type(KEYS.enter);
    await chat.shows("ran");
    const client = createGatewayClient({ url: chats.gateway.url, token: chats.gateway.token });
    const { grants } = await client.call("approvals.grants", {});
    expect(grants.filter(({ kind }) => kind === "exec")).toMatchObject([
      { scope: "agent", label: expect.stringContaining("git add README.md") },
    ]);
  });

  it("[APPR-061] shows a command as typed, why each part needs approval, its folder and sandbox, and names another session", async () => {
    mkdirSync(join(chats.place.workspace, "below"));
    await using chat = await chats.openChat({ columns: 100, rows: 45 });
    await using other = await chats.openChat({ columns: 100, rows: 45 });
    const command = 'touch "one two" && ls';
    chats.model.reply(
      {
        toolCalls: [
          { id: "c1", name: "exec", arguments: JSON.stringify({ command, workdir: "below" }) },
        ],
      },
      { text: "not run" },
    );
    chat.type(`run it${KEYS.enter}`);
    await chat.shows("[y]es");
    const card = chat.text.split("\n").flatMap((line) => (line.startsWith("│ ") ? [line] : []));
    expect(card.join("\n")).toMatch(/│ command +touch "one two" && ls\n/);
    expect(card.join("\n")).toMatch(/│ because +touch .*: .+/);
    expect(card.join("\n")).toContain(`${join(realpathSync(chats.place.workspace), "below")}`);
    expect(card.join("\n")).toMatch(
      /│ sandbox +off: the command runs with the rights of the gateway/,
    );
    expect(card.join("\n")).not.toContain("session ");
    await other.shows(/│ session +agent:main:\S+ \(not this conversation\)/);
    chat.type("n");
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows("not run");
    await other.shows(/exec was denied by .+ \([A-Z0-9]{6}\)/);
  });

  it("[GW-082] [GW-047] streams a reply, clears the input, interrupts the turn, asks, and leaves, with Ctrl-C in each state", async () => {
    await using chat = await chats.openChat();
    chats.model.reply({
      text: "never whole",
      hold: { afterEvents: 2, until: new Promise(() => {}) },
    });
    chat.type(`go${KEYS.enter}`);
    // The reply has begun, so the model has received the request.
    await chat.shows(/you › go\n+nev/);
    chat.type("a draft");
    await chat.shows(/\na draft\n/);
    chat.type(KEYS.ctrlC);
    await chat.until(() => !chat.screen.includes("a draft"));
    expect(chat.text).not.toContain("interrupted");
    chat.type(KEYS.ctrlC);
    await chat.shows("interrupted");
    await chat.shows(/ready · /);
    chat.type(KEYS.ctrlC);
    await chat.shows("press Ctrl-C again to leave; the gateway keeps running");
    chat.type("x");
    await chat.until(() => !chat.screen.join("\n").includes("again to leave"));
    chat.type(KEYS.ctrlC);
    await chat.until(() => !chat.screen.includes("x"));
    chat.type(KEYS.ctrlC);
    await chat.shows("again to leave");
    chat.type(KEYS.ctrlC);
    expect(await chat.ended()).toBe(0);
    expect(chat.text).toMatch(/\nLeft the chat; the gateway keeps running\.$/);
  });

  it("[GW-081] [GW-082] removes the approval card of a turn that the user interrupts, and takes the next input at once", async () => {
    await using chat = await chats.openChat();
    chats.model.reply({ toolCalls: [writeCall("never.txt", "text")] }, { text: "after it" });
    chat.type(`write it${KEYS.enter}`);
    await chat.shows("[y]es");
    chat.type(KEYS.ctrlC);
    await chat.shows("interrupted");
    await chat.until(() => !chat.screen.join("\n").includes("│ "));
    expect(chat.text).not.toContain("Press Enter");
    chat.type(`next${KEYS.enter}`);
    await chat.shows("after it");
  });

  it("[GW-080] explains its keys below the commands that the gateway lists", async () => {
    await using chat = await chats.openChat({ columns: 160, rows: 45 });
    const requests = chats.model.requests.length;
    chat.type(`/help${KEYS.enter}`);
    await chat.shows("In this chat: keys and inputs");
    expect(chat.text).toContain("/undo: Take back the last turn of the conversation.");
    expect(chats.model.requests).toHaveLength(requests);
  });

  it("[GW-089] has no timer that wakes it more than once in 5 seconds while no turn runs", async () => {
    const census = fileURLToPath(new URL("../../fixtures/timer-census.mjs", import.meta.url));
    const environment = { ...chats.place.environment, NODE_OPTIONS: `--import="${census}"` };
    await using chat = openTerminal(["chat", "--new"], { ...chats.place, environment });
    await chat.shows(/ready · /);
    chats.model.reply({ text: "over" });
    chat.type(`go${KEYS.enter}`);
    await chat.shows("over");
    await chat.shows(/ready · /);
    chat.signal("SIGUSR2");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence that the fixture writes
    const counted = /\u001b\]7770;(\[.*?\])\u0007/;
    await chat.until(() => counted.test(chat.output));
    const delays = JSON.parse(counted.exec(chat.output)?.[1] ?? "") as number[];
    const wakesPerSecond = delays.reduce((sum, delay) => sum + 1000 / delay, 0);
    expect(wakesPerSecond).toBeLessThanOrEqual(0.2);
  });

  it("[GW-047] [GW-083] streams a long reply into the scrollback without erasing the screen, with few bytes for each token", async () => {
    await using chat = await chats.openChat({ columns: 80, rows: 24 });
    const rows = Array.from({ length: 120 }, (_, index) => `- item ${index + 1} of **many**`);
    const text = `# Title\n\n${rows.join("\n")}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nthe end`;
    chats.model.reply({ text });
    const before = chat.output.length;
    chat.type(`long${KEYS.enter}`);
    await chat.shows("the end");
    await chat.shows(/11 in, 7 out/);
    const streamed = chat.output.slice(before);
    for (const erasing of ["\u001b[2J", "\u001b[3J", "\u001b[?1049h"]) {
      expect(streamed).not.toContain(erasing);
    }
    for (const index of [1, 60, 120]) expect(chat.text).toContain(`item ${index} of many`);
    expect(chat.text).toMatch(/│ a +│ b +│/);
    const tokens = text.split(/\s+/).length;
    expect(streamed.length / tokens).toBeLessThan(400);
  });

  it("[GW-080] edits and shows wide and combining characters", async () => {
    await using chat = await chats.openChat({ columns: 40, rows: 24 });
    const text = "日本語 e\u0301 👩‍💻 ende";
    chats.model.reply({ text: `${"漢字".repeat(30)} fertig` });
    chat.type(`${text}x\u007f${KEYS.enter}`);
    await chat.shows("fertig");
    expect(chats.lastUserText()).toBe(JSON.stringify(text));
    expect(chat.text.replaceAll("\n", "")).toContain("漢字".repeat(30));
  });

  it("[GW-047] [GW-080] [CHAN-019] offers earlier inputs again in a later chat, from a file that only its owner reads", async () => {
    {
      await using chat = await chats.openChat();
      chats.model.reply({ text: "noted" });
      chat.type(`remember this line${KEYS.enter}`);
      await chat.shows("noted");
    }
    await using chat = await chats.openChat();
    chat.type(KEYS.up);
    await chat.shows(/\nremember this line\n/);
    expect(statSync(join(chats.place.state, "chat-history.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("[GW-047] [GW-080] [CHAN-019] completes commands, paths and names of tools", async () => {
    chats.place.writeWorkspace({ "src/alpha.ts": "" });
    await using chat = await chats.openChat();
    chat.type("/comp");
    await chat.shows(/→ \/?compact/);
    chat.type(KEYS.tab);
    await chat.shows(/\n\/compact ?\n/);
    chat.type(KEYS.ctrlC);
    chat.type("see @src/al");
    await chat.shows(/→ @src\/alpha\.ts/);
    chat.type(`${KEYS.tab}and web_f`);
    await chat.shows(/see @src\/alpha\.ts and web_f/);
    chat.type(KEYS.tab);
    await chat.shows(/see @src\/alpha\.ts and web_fetch/);
    chat.type(`${KEYS.ctrlC}/appr`);
    await chat.shows(/→ \/approve /);
    chat.type(KEYS.tab);
    await chat.until(() => chat.screen.some((line) => line.trim() === "/approve"));
  });

  it("[GW-047] [GW-083] shows a tool card that expands on a key, and never lets a reply control the terminal", async () => {
    chats.place.writeWorkspace({ "data.txt": "first\nsecond\n" });
    await using chat = await chats.openChat();
    const command = "echo one; sleep 0.2; echo two; touch made.txt";
    chats.model.reply(
      { toolCalls: [{ id: "c1", name: "read", arguments: '{"path":"data.txt"}' }] },
      { toolCalls: [{ id: "c2", name: "exec", arguments: JSON.stringify({ command }) }] },
      { text: "evil \u001b[2J\u001b]0;title\u0007 and `code`" },
    );
    chat.type(`read it${KEYS.enter}`);
    await chat.shows(/✓ read data\.txt \(\d+ ms\)/);
    await chat.shows("[y]es");
    chat.type("y");
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows(/evil \\u\{1b\}\[2J/);
    chat.type(KEYS.ctrlO);
    await chat.shows(/"path": "data\.txt"/);
    // Each update of a tool is its output so far.
    expect(chat.text.match(/^ {2}one$/gm)).toHaveLength(1);
    expect(chat.text.match(/^ {2}two$/gm)).toHaveLength(1);
  });
});

function writeCall(path: string, content: string) {
  return { id: "call_1", name: "write", arguments: JSON.stringify({ path, content }) };
}
