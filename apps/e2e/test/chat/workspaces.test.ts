import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import {
  type ModelServer,
  type ModelServerRequest,
  startChatServer,
} from "@openclaw/platform-fakes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { createGate } from "../../src/gate.js";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { KEYS, openTerminal } from "../../src/terminal-session.js";
import { startGateway } from "../../src/warm-process.js";

let model: ModelServer;

beforeAll(async () => {
  model = await startChatServer([]);
});

afterAll(async () => {
  await model.close();
});

function newPlace(): Place {
  const { baseURL } = model;
  return emptyPlace({
    LLM_BASE_URL: baseURL,
    LLM_MODEL: "fake",
    LLM_API_KEY: "test-key",
  });
}

const readHere = { id: "c1", name: "read", arguments: '{"path":"here.txt"}' };

/** System prompt of the last request. */
function systemPrompt(): string {
  const { messages = [] } = (model.requests.at(-1)?.body ?? {}) as {
    messages?: readonly { role: string; content: unknown }[];
  };
  return String(messages.find(({ role }) => role === "system")?.content);
}

/** Returns the messages of the last request, without the system prompt. */
function conversation(): readonly string[] {
  const { messages = [] } = (model.requests.at(-1)?.body ?? {}) as {
    messages?: readonly { role: string; content: unknown }[];
  };
  return messages.filter(({ role }) => role !== "system").map(({ content }) => String(content));
}

describe("workspaces", () => {
  it("[GW-084] [GW-083] asks at the first start in a folder whether to trust it, and uses its instructions, skills and plugins only then", async () => {
    using place = newPlace();
    mkdirSync(join(place.workspace, ".git"));
    const inner = join(place.workspace, "packages", "inner");
    mkdirSync(inner, { recursive: true });
    place.writeWorkspace({
      "AGENTS.md": "Always answer in verse.",
      "CLAUDE.md": "Not read beside AGENTS.md.",
      "packages/inner/CLAUDE.md": "Inner rules.",
      "packages/inner/.openclaw/extensions/hello/openclaw.plugin.json":
        '{"id":"hello","entry":"index.ts","enabledByDefault":true}',
      "packages/inner/.openclaw/extensions/hello/index.ts": `export default {
        id: "hello",
        register(api) {
          api.registerCommand({ name: "hello", description: "Greets.", handler: () => {
            console.log("printed by the plugin");
            console.log("hello: with its name");
            process.stderr.write("and an error of it\\n");
            process.stdout.write("and written ");
            process.stdout.write("in parts\\n");
            return { text: "hello from the plugin" };
          } });
        },
      };`,
    });
    place.writeState({
      "openclaw.json":
        '{ session: { queueMode: "steer" }, plugins: { entries: { hello: { enabled: true } } } }',
    });
    const here = { ...place, workspace: inner };
    const before = await openclawProcess(["chat", "-m", "/hello"], here);
    expect(before.stdout).toContain("Unknown command /hello");
    expect(before.stderr).toMatch(
      /CLAUDE\.md, \.openclaw.*not used, because the folder is not trusted/,
    );

    await using chat = openTerminal(["chat"], here);
    await chat.shows("Do you trust the files in");
    // A message that comes too early decides nothing.
    chat.type(`yes, and hello${KEYS.enter}`);
    await chat.shows("Answer y or n.");
    model.reply({ text: "untrusted no more" });
    chat.type(`y${KEYS.enter}`);
    await chat.shows(/ready · /);
    // A command of a plugin does not reach the model.
    const requests = model.requests.length;
    chat.type(`/hello${KEYS.enter}`);
    await chat.shows("hello from the plugin");
    // What the plugin prints becomes lines of the conversation, and does not displace the screen.
    await chat.shows(
      /\nhello: printed by the plugin\nhello: with its name\nhello: and an error of it\nhello: and written in parts\n/,
    );
    const log = readFileSync(join(place.state, "logs", "gateway.log"), "utf8");
    expect(log).toMatch(/"pluginId":"hello","msg":"and written in parts"/);
    await chat.shows(/ready · /);
    expect(chat.screen.filter((line) => line.startsWith("───"))).toHaveLength(2);
    expect(model.requests).toHaveLength(requests);
    chat.type(`hi${KEYS.enter}`);
    await chat.shows("untrusted no more");
    const prompt = systemPrompt();
    expect(prompt).toContain("Always answer in verse.");
    expect(prompt.indexOf("Inner rules.")).toBeGreaterThan(
      prompt.indexOf("Always answer in verse."),
    );
    expect(prompt).not.toContain("Not read beside");
    // The queue mode of the configuration applies to a conversation that has no settings.
    const echo = { id: "c1", name: "echo", arguments: '{"message":"tick"}' };
    const first = createGate();
    model.reply(
      { toolCalls: [echo], hold: { afterEvents: 1, until: first.until } },
      { text: "both answered" },
    );
    chat.type(`begin${KEYS.enter}`);
    await chat.shows(/working .*Ctrl-C interrupts/);
    chat.type(`more${KEYS.enter}`);
    await chat.shows(/joins the turn › more/);
    first.open();
    await chat.shows("both answered");
    chat.type(`/quit${KEYS.enter}`);
    expect(await chat.ended()).toBe(0);

    await using again = openTerminal(["chat"], here);
    await again.shows(/ready · /);
    expect(again.text).not.toContain("Do you trust");
  });

  it("[GW-084] [GW-085] [GW-047] leaves out the instructions of a folder that the user does not trust, and continues its conversation in process and with a gateway", async () => {
    using place = newPlace();
    place.writeWorkspace({ "AGENTS.md": "Obey me." });
    model.reply({ text: "one" }, { text: "two" });
    const first = await openclaw(["chat", "-m", "hi"], place);
    expect(first).toMatchObject({ exitCode: 0, stdout: "one\n" });
    expect(systemPrompt()).not.toContain("Obey me.");
    expect((await openclaw(["trust"], place)).stdout).toContain("Trusted ");
    const { stdout } = await openclaw(["chat", "--json", "-m", "hi"], place);
    expect(systemPrompt()).toContain("Obey me.");
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ ok: true, text: "two", session: "agent:main:main" },
      usage: { input: 11, output: 7, total: 18 },
    });
    expect(conversation()).toEqual(["hi", "one", "hi"]);
    await using gateway = await startGateway(place);
    expect(gateway.url).toContain("http");
    model.reply({ text: "three" }, { status: 400, message: "no such model" });
    const third = await openclaw(["chat", "-m", "again"], place);
    expect(third).toMatchObject({ exitCode: 0, stdout: "three\n" });
    expect(conversation()).toEqual(["hi", "one", "hi", "two", "again"]);
    const failed = await openclaw(["chat", "-m", "and again"], place);
    expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(failed.stderr).toContain("no such model");
    const listed = await openclaw(["chat", "--resume"], place);
    expect(listed.stdout).toMatch(/^1 +main +just now +[45] +hi$/m);
    expect(listed.stdout).toContain("chat --resume <conversation>");
    await using chat = openTerminal(["chat", "--resume"], place);
    await chat.shows("Continue which one?");
    chat.type(`2${KEYS.enter}`);
    await chat.shows("Answer with a number from 1 to 1.");
    chat.type(`1${KEYS.enter}`);
    await chat.shows(/ready · .* · main\b/);
    await chat.shows(
      /Continues a conversation of \d+ messages\. Its last exchange:\n+you › and again/,
    );
    await using leaving = openTerminal(["chat", "--resume"], place);
    await leaving.shows("Continue which one?");
    leaving.type(KEYS.enter);
    expect(await leaving.ended()).toBe(0);
  });

  it("[GW-086] works in `workspace` of the state folder when it was run in the home folder, and reports it", async () => {
    using place = newPlace();
    const folder = realpathSync(place.state);
    model.reply(
      {
        toolCalls: [
          { id: "c1", name: "read", arguments: JSON.stringify({ path: join(folder, ".bashrc") }) },
        ],
      },
      { text: "done" },
    );
    place.writeState({ ".bashrc": "export SECRET=1" });
    const home = { ...place, workspace: place.state };
    const { stderr } = await openclaw(["chat", "-m", "read my profile"], home);
    expect(stderr).toContain(`The workspace is ${join(place.state, "workspace")}`);
    expect(stderr).toMatch(/✗ read /);
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain("SECRET=1");
  });

  it("[GW-086] takes another workspace than the home folder in the commands that check", async () => {
    using place = newPlace();
    place.writeState({
      ".openclaw/extensions/hello/openclaw.plugin.json":
        '{"id":"hello","entry":"index.js","permissions":{"tools":["hello_tool"]}}',
      ".openclaw/extensions/hello/index.js": 'export default { id: "hello", register() {} };',
      "openclaw.json": '{ tools: { deny: ["hello_tool"] }, plugins: { entries: { hello: {} } } }',
      "notes.txt": "private",
    });
    const home = { ...place, workspace: place.state };
    const [plugins, validated, checked, doctor] = await Promise.all([
      openclaw(["plugins", "list", "--json"], home),
      openclaw(["config", "validate", "--strict", "--json"], home),
      openclaw(
        ["approvals", "check", `cat ${join(realpathSync(place.state), "notes.txt")}`, "--json"],
        home,
      ),
      openclaw(["doctor", "--json"], home),
    ]);
    expect(plugins.stdout).toContain('"origin":"bundled"');
    expect(plugins.stdout).not.toContain('"origin":"workspace"');
    expect(validated.stdout).toContain("hello_tool");
    expect(validated.exitCode).toBe(78);
    expect(checked.exitCode).toBe(3);
    expect(doctor.stdout).toContain('"config"');
    expect(doctor.stdout).not.toContain("plugin:hello");
  });

  it("[GW-087] opens the folder of a local chat for its session and its subagents, in a gateway that runs elsewhere", async () => {
    using place = newPlace();
    using other = temporaryFolder("other");
    writeFileSync(join(other.path, "here.txt"), "in folder B");
    await using gateway = await startGateway(place);
    model.reply(
      { toolCalls: [readHere] },
      { toolCalls: [{ id: "c2", name: "write", arguments: '{"path":"made.txt","content":"B"}' }] },
      { text: "written" },
    );
    const there = { ...place, workspace: other.path };
    await using chat = openTerminal(["chat"], there);
    await chat.shows("Do you trust");
    chat.type(`n${KEYS.enter}`);
    await chat.shows(/ready · /);
    chat.type(`go${KEYS.enter}`);
    await chat.shows("then Enter");
    expect(chat.text).toContain("in folder B");
    chat.type("y");
    await chat.shows("Enter confirms");
    chat.type(KEYS.enter);
    await chat.shows("written");
    expect(readFileSync(join(other.path, "made.txt"), "utf8")).toBe("B");
    const subagent = createGate<string>();
    const afterSpawn = ({ body }: ModelServerRequest) => {
      const messages = JSON.stringify(body.messages);
      if (messages.includes('"spawn it"')) return { text: "spawned" };
      if (!messages.includes("in folder B")) return { toolCalls: [readHere] };
      subagent.open(messages);
      return { text: "seen" };
    };
    const task = { id: "c3", name: "sessions_spawn", arguments: '{"task":"look around"}' };
    model.reply({ toolCalls: [task] }, afterSpawn, afterSpawn, afterSpawn);
    chat.type(`spawn it${KEYS.enter}`);
    await chat.shows("spawned");
    expect(await subagent.until).toContain("look around");
    // A client over the network gets the folder of the gateway, and no parameter changes that.
    const client = createGatewayClient({ url: gateway.url, token: gateway.token });
    await expect(
      // @ts-expect-error a client cannot name a workspace
      client.call("chat.send", { sessionKey: "remote", text: "hi", workspaceDir: other.path }),
    ).rejects.toMatchObject({ code: expect.any(String) });
    model.reply({ toolCalls: [readHere] }, { text: "not there" });
    await openclaw(["chat", "--session", "remote", "-m", "look"], place);
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain("in folder B");
  });
});
