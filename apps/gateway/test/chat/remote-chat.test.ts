import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { type Gateway, loadGatewayToken, startGateway } from "@openclaw/gateway";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { chatUntilQuit, sendOnce } from "../../src/chat/chat.js";
import { hostedPartner } from "../../src/chat/hosted-partner.js";
import { connectPartner, type RemotePartner } from "../../src/chat/remote-partner.js";
import { loadOperatorConfiguration } from "../../src/configuration.js";
import { createScreen, type TestScreen } from "../support/screen.js";

const SESSION_KEY = "agent:main:main";

let folder: TemporaryFolder;
let gateway: Gateway;

async function start(port: number): Promise<Gateway> {
  const environment = { OPENCLAW_STATE_DIR: join(folder.path, "state") };
  return startGateway({
    version: "1.0.0",
    stateDir: environment.OPENCLAW_STATE_DIR,
    configuration: await loadOperatorConfiguration(environment),
    configurationFile: join(folder.path, "openclaw.json"),
    workspaceDir: join(folder.path, "workspace"),
    bundledExtensions: [],
    approvedTools: ["exec=any"],
    environment,
    port,
  });
}

beforeAll(async () => {
  folder = temporaryFolder();
  gateway = await start(0);
  folder.write({ "workspace/package.json": '{ "version": "9.9.9" }' });
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

async function connect(giveUpMs?: number, hasApprover = true): Promise<RemotePartner> {
  const { url = "", state } = gateway;
  const partner = await connectPartner({
    url,
    token: loadGatewayToken(state.tokenFile),
    sessionKey: SESSION_KEY,
    hasApprover,
    giveUpMs,
    note: () => {},
  });
  onTestFinished(() => partner.close());
  return partner;
}

/** Opens a chat at a terminal, over the wire or in the process of the gateway. */
async function openChat(partner?: ReturnType<typeof hostedPartner>): Promise<TestScreen> {
  const screen = createScreen();
  const quit = new AbortController();
  const used = partner ?? (await connect());
  const ended = chatUntilQuit(used, screen.terminal, {
    ...{
      workspaceDir: "/",
      environment: process.env,
      afterLeaving: "the gateway keeps running",
      signal: quit.signal,
    },
  });
  onTestFinished(async () => {
    quit.abort();
    await ended;
  });
  await screen.shows(/you › /);
  return screen;
}

describe("openclaw chat with a running gateway", () => {
  it("[GW-008] shows tools and text at every terminal of the session, also at that of the gateway", async () => {
    const first = await openChat();
    const second = await openChat();
    const own = await openChat(hostedPartner(gateway, SESSION_KEY));
    first.type("read package.json");
    await first.shows(
      /→ read \{"path":"package\.json"\}\n✓ read .*\n(.*\n)*.*"version": "9\.9\.9"/,
    );
    for (const other of [second, own]) {
      await other.shows(
        /elsewhere › read package\.json\n(.*\n)*.*→ read .*\n(.*\n)*.*✓ read .*\n(.*\n)*.*"9\.9\.9"/,
      );
    }
    own.type("what time is it");
    await first.shows(/elsewhere › what time is it\n(.*\n)*.*\d:\d\d/);
    expect(first.text).not.toContain("elsewhere › read");
    expect(own.text).not.toContain("elsewhere › what time");
  });

  it("[GW-008] asks for approval at the terminal of the message, and shows the others the decision", async () => {
    const first = await openChat();
    const second = await openChat();
    first.type("write note.txt: hello");
    await first.shows(/\[y\]es, \[n\]o.*: $/);
    await second.shows(/Reply \/approve/);
    first.type("y");
    await first.shows(/✓ write/);
    await second.shows(/is allowed-once \(/);
    await first.shows(/✓ write (.|\n)*you › $/);
    first.type("write note.txt: hello again");
    await first.shows(/\[y\]es(.|\n)*\[y\]es, \[n\]o.*: $/);
    first.type("n");
    await first.shows(/✗ write/);
  });

  it("[GW-008] interrupts the turn in the gateway", async () => {
    const first = await openChat();
    const second = await openChat();
    first.type("run `sleep 60`");
    await first.shows(/→ exec/);
    first.input.emit("SIGINT");
    await first.shows(/✗ exec .*\n(.*\n)*interrupted/);
    await second.shows(/✗ exec .*\n(.*\n)*.*interrupted/);
  });

  it("[GW-008] shows that the gateway restarts, and sends what was typed in the meantime", async () => {
    const first = await openChat();
    const { url = "" } = gateway;
    await gateway.stop("restart");
    await first.shows(/connecting again/);
    first.type("read package.json");
    gateway = await start(Number(new URL(url).port));
    await first.shows(/connected to the gateway again/);
    await first.shows(/✓ read .*\n(.*\n)*.*"9\.9\.9"/);
  });

  it("sends one message, with the exit codes of a chat in process", async () => {
    const screen = createScreen();
    const partner = await connect();
    const options = { workspaceDir: "/", signal: new AbortController().signal, json: false };
    expect(await sendOnce("what time is it", partner, screen.terminal, options)).toBe(0);
    expect(screen.text).toMatch(/\d:\d\d/);
    const interrupt = new AbortController();
    const running = createScreen();
    const sending = sendOnce("run `sleep 60`", partner, running.terminal, {
      workspaceDir: "/",
      signal: interrupt.signal,
      json: false,
    });
    await running.shows(/→ exec/);
    interrupt.abort();
    expect(await sending).toBe(130);
    const json = createScreen();
    const { signal } = options;
    expect(
      await sendOnce("hello", partner, json.terminal, { workspaceDir: "/", signal, json: true }),
    ).toBe(0);
    expect(JSON.parse(json.text)).toMatchObject({ ok: true });
  });

  it("[GW-800] [GW-801] sends an image that is larger than a frame, also with one message", async () => {
    const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(2_000_000)]);
    writeFileSync(join(folder.path, "workspace/large.png"), png);
    const screen = createScreen();
    const text = "what is @large.png";
    const sent = await sendOnce(text, await connect(), screen.terminal, {
      ...{ workspaceDir: join(folder.path, "workspace"), json: false, attach: text },
      signal: new AbortController().signal,
    });
    expect(sent).toBe(0);
    expect(screen.text).toContain("attached: large.png (2.0 MB)");
    expect(screen.text).toContain("I cannot see it");
  });

  it("[TURN-460] ends a message with 77 when no approver was reachable, and names the tools", async () => {
    const screen = createScreen();
    const json = createScreen();
    const partner = await connect(undefined, false);
    const options = { workspaceDir: "/", signal: new AbortController().signal };
    const text = "write unapproved.txt: x";
    expect(await sendOnce(text, partner, screen.terminal, { ...options, json: false })).toBe(77);
    expect(screen.text).toContain("not done: a call of write needed an approval");
    expect(await sendOnce(text, partner, json.terminal, { ...options, json: true })).toBe(77);
    expect(JSON.parse(json.text)).toMatchObject({ ok: true, unapprovedTools: ["write"] });
  });

  it("[GW-044] ends with 69 when the gateway does not come back, and when there is none", async () => {
    const partner = await connect(1);
    const { url = "", state } = gateway;
    const screen = createScreen();
    const sending = sendOnce("write late.txt: x", partner, screen.terminal, {
      workspaceDir: "/",
      signal: new AbortController().signal,
      json: false,
    });
    await screen.shows(/\[y\]es/);
    const port = Number(new URL(url).port);
    await gateway.stop("command");
    expect(await sending).toBe(69);
    expect(screen.text).toContain("did not come back");
    const token = loadGatewayToken(state.tokenFile);
    const none = connectPartner({
      url,
      token,
      sessionKey: SESSION_KEY,
      hasApprover: false,
      note: () => {},
    });
    await expect(none).rejects.toMatchObject({ code: "GATEWAY_UNREACHABLE" });
    gateway = await start(port);
  });
});
