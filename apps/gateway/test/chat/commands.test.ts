import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { loadGatewayToken, startGateway } from "@openclaw/gateway";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatUntilQuit } from "../../src/chat/chat.js";
import { hostedPartner } from "../../src/chat/hosted-partner.js";
import { connectPartner } from "../../src/chat/remote-partner.js";
import { loadOperatorConfiguration } from "../../src/configuration.js";
import { createScreen } from "../support/screen.js";

const SESSION_KEY = "agent:main:main";

const plugin: PluginDefinition = {
  id: "deployer",
  register: (api) =>
    api.registerCommand({
      name: "deploy",
      description: "Deploy the site.",
      acceptsArgs: true,
      handler: ({ args }) => ({ text: `deployed ${args}` }),
    }),
};

async function start() {
  const folder = temporaryFolder();
  const environment = { OPENCLAW_STATE_DIR: join(folder.path, "state") };
  folder.write({ "workspace/package.json": '{ "version": "9.9.9" }' });
  const gateway = await startGateway({
    version: "1.0.0",
    stateDir: environment.OPENCLAW_STATE_DIR,
    configuration: await loadOperatorConfiguration(environment),
    configurationFile: join(folder.path, "openclaw.json"),
    workspaceDir: join(folder.path, "workspace"),
    bundledExtensions: [],
    inlinePlugins: [plugin],
    environment,
    port: 0,
  });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  return gateway;
}

type Partner = ReturnType<typeof hostedPartner>;

/** Opens a chat at a terminal; `say` types a line and resolves with what is shown until the next prompt. */
async function chat(partner: Partner) {
  const screen = createScreen();
  const quit = new AbortController();
  const ended = chatUntilQuit(partner, screen.terminal, {
    ...{
      workspaceDir: "/",
      environment: process.env,
      afterLeaving: "the gateway stops too",
      signal: quit.signal,
    },
  });
  onTestFinished(async () => {
    quit.abort();
    await ended;
  });
  await screen.shows(/you › $/);
  const say = async (line: string) => {
    const before = screen.text.length;
    screen.type(line);
    await screen.shows(new RegExp(`^[\\s\\S]{${before + 1},}\\nyou › $`));
    return screen.text.slice(before);
  };
  return { say, ended, screen };
}

/** Types every command, and returns those whose reply is not the expected one. */
async function wrongReplies(say: (line: string) => Promise<string>): Promise<readonly string[]> {
  const wrong: string[] = [];
  const expectReply = async (line: string, expected: RegExp) => {
    const reply = await say(line);
    if (!expected.test(reply)) wrong.push(`${line}: ${reply}`);
    return reply;
  };
  for (const [line, expected] of BEFORE) await expectReply(line, expected);
  const list = await expectReply("/resume", /Checkpoints; /);
  const checkpoint = /([0-9a-f-]{36}) .*before "read/.exec(list)?.[1] ?? "";
  const conversation = /([0-9a-f-]{36}) .*\(current\)/.exec(list)?.[1] ?? "";
  await expectReply(`/resume ${checkpoint}`, /Returned to the checkpoint before: "read/);
  await expectReply("/new", /Started a new conversation\./);
  await expectReply(`/thread ${conversation}`, /Continued the conversation/);
  for (const [line, expected] of AFTER) await expectReply(line, expected);
  return wrong;
}

const BEFORE: readonly (readonly [string, RegExp])[] = [
  ["what time is it", /\d:\d\d/],
  ["read package.json", /9\.9\.9/],
  ["/help", /\/undo: .*\n(.*\n)*.*\/deploy \[arguments\]: Deploy the site\./],
  ["/version", /OpenClaw 1\.0\.0/],
  ["/ping", /pong/],
  ["/tools", /Allowed in this session:/],
  ["/model", /Model of this session: /],
  ["/status", /Workspace: .*\n[\s\S]*Instructions: [\s\S]*Context: \d+ messages/],
  ["/approvals", /No pending approvals here\.\n[\s\S]*Nothing is allowed/],
  ["/cost", /Tokens of this conversation, by model:[\s\S]*Cost: \$0\.00/],
  ["/debug", /are shown/],
  ["/debug", /are hidden/],
  ["/undo", /Undone: "read package\.json"\n.*effects.*remain.*\n\s+read /],
  ["/redo", /Brought back: "read package\.json"/],
  ["/summarize", /\S/],
  ["/suggest", /\S/],
  ["/compact", /Nothing was compacted/],
];

const AFTER: readonly (readonly [string, RegExp])[] = [
  ["/threads", /\(current\)/],
  ["/sessions", /agent:main:main/],
  ["/interrupt", /No turn is running\./],
  ["/approve", /No pending approvals here\./],
  ["/deny", /No pending approvals here\./],
  ["/elevated off", /Elevated mode was not on\./],
  ["/heartbeat", /Heartbeat: no model was called, because there is no HEARTBEAT\.md/],
  ["/jobs", /There are no jobs\./],
  ["/job cancel 12345678", /not found/],
  ["/deploy north", /deployed north/],
  ["/undp", /Did you mean "\/undo"/],
  ["/clear", /The conversation is empty now\./],
  ["/reset", /Started a new conversation\./],
];

describe("every command at the terminal", () => {
  it("[SUB-052] [PLUG-033] works in a chat with a host in the same process", async () => {
    const { say, ended, screen } = await chat(hostedPartner(await start(), SESSION_KEY));
    expect(await wrongReplies(say)).toEqual([]);
    screen.type("/quit");
    await ended;
  });

  it("[SUB-052] [PLUG-033] works in a chat with a running gateway", async () => {
    const { url = "", state } = await start();
    const token = loadGatewayToken(state.tokenFile);
    const partner = await connectPartner({
      ...{ url, token, sessionKey: SESSION_KEY },
      hasApprover: true,
      note: () => {},
    });
    onTestFinished(() => partner.close());
    const { say, ended, screen } = await chat(partner);
    expect(await wrongReplies(say)).toEqual([]);
    screen.type("/quit");
    await ended;
  });
});

it("[GW-681] runs a command of the user in a chat of plain lines, and the model sees it with the next message", async () => {
  const { say } = await chat(hostedPartner(await start(), SESSION_KEY));
  expect(await say("!echo from the shell; exit 4")).toMatch(
    /from the shell\nexit code 4, \d+ ms\n/,
  );
  expect(await say("what time is it")).toContain("✓ time");
});
