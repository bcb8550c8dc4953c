import { cpSync } from "node:fs";
import type { TurnEvent } from "@openclaw/agent";
import {
  folderContents,
  type TemporaryFolder,
  temporaryFolder,
} from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../support/eventually.js";
import { startTestGateway } from "../../support/gateway.js";
import { scriptedProvider } from "../../support/scripted-provider.js";

/** Text longer than a page of the database, so that it is stored in separate pages. */
const SECRET = `the merger is on friday ${"and nobody may know ".repeat(500)}`;
const SECRET_MARK = "the merger is on friday";
const REASON = "rule 17 of the board's insider list";
const SHOWN = "I may not speak of this.";

const message = (text: string) => ({
  channel: "terminal",
  conversationId: "terminal",
  senderId: "operator",
  senderIsOwner: true,
  sessionKey: "agent:main:main",
  agentId: "main",
  text,
});

/** Starts a gateway whose gate blocks the secret, and records everything that leaves it. */
async function gatedGateway(
  options: { configuration?: string; atGate?: () => unknown; command?: boolean } = {},
) {
  const { configuration, atGate = blockWithReason, command = false } = options;
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  if (configuration !== undefined) folder.write({ "openclaw.json": configuration });
  const model = createScriptedModel(() => ({ text: "of course" }));
  const shown: unknown[] = [];
  const register = (api: OpenClawPluginApi) => {
    api.registerProvider(scriptedProvider(model));
    const gate = ({ prompt }: { prompt: string }) =>
      prompt.includes(SECRET_MARK) ? atGate() : undefined;
    // A gate may be written without types.
    api.on("before_agent_run", gate as never);
    for (const hook of ["llm_input", "message_sending", "message_sent", "agent_end"] as const) {
      api.on(hook, (event: unknown) => void shown.push(JSON.stringify(event)));
    }
    if (command) {
      api.registerCommand({
        name: "tell",
        description: "tells a server",
        acceptsArgs: true,
        handler: () => ({
          text: "Told.",
          forgetsMessage: true,
          continueAgent: true,
          agentText: "I told the server.",
        }),
      });
    }
    api.on("before_message_write", (event) => void shown.push(JSON.stringify(event)));
  };
  const gateway = await startTestGateway(folder, {
    model: "scripted/script",
    inlinePlugins: [{ id: "guard", register }],
  });
  let running = true;
  const stop = async () => {
    if (running) await gateway.stop("command");
    running = false;
  };
  onTestFinished(stop);
  const send = async (text: string) => {
    const outcome = await gateway.receive(message(text), {
      onEvent: (event: TurnEvent) => void shown.push(JSON.stringify(event)),
    });
    shown.push(JSON.stringify(outcome));
    return outcome;
  };
  return { folder, gateway, send, stop, shown, requests: model.requests };
}

function blockWithReason() {
  return { outcome: "block", reason: REASON, message: SHOWN, category: "insider" };
}

/** Returns every file in a folder, by path. */
function filesOf({ path }: TemporaryFolder): [string, string][] {
  return folderContents(path).map(({ name, content }) => [name, content.toString("latin1")]);
}

describe("message that the gate blocks", () => {
  it("[TURN-024] [HCR-010] appears in no file, event, hook, reply or later prompt, and neither does the reason", async () => {
    const { folder, gateway, send, stop, shown, requests } = await gatedGateway();
    expect(await send("hello")).toMatchObject({ status: "replied", text: "of course" });
    expect(await send(SECRET)).toMatchObject({ status: "withheld", text: SHOWN });
    expect(await send("and now?")).toMatchObject({ status: "replied" });
    expect(requests).toHaveLength(2);
    await stop();

    const sinks = [
      ...filesOf(folder),
      ["shown", shown.join("\n")],
      ["model", JSON.stringify(requests)],
    ];
    expect(sinks.map(([name]) => name)).toContain("gateway.log");
    for (const [name = "", content = ""] of sinks) {
      expect(content.includes(SECRET_MARK), `the text in ${name}`).toBe(false);
      expect(content.includes("nobody may know"), `the text in ${name}`).toBe(false);
      expect(content.includes(REASON), `the reason in ${name}`).toBe(false);
    }

    const store = await openStore({ file: gateway.state.databaseFile });
    onTestFinished(() => store.close());
    const session = await store.sessions.get("agent:main:main");
    const entries = await store.messages.transcript.load(session?.sessionId ?? "");
    expect(entries.map(({ message: { role } }) => role)).toEqual([
      ...["user", "assistant", "assistant", "user", "assistant"],
    ]);
    expect(entries[2]?.message).toMatchObject({
      content: [{ type: "text", text: SHOWN }],
      gate: {
        outcome: "block",
        blockedBy: "guard",
        blockedAt: expect.any(Number),
        category: "insider",
      },
    });
  });

  it("[TURN-024] is in no file of a running host, and in none after a kill, a restart and a further turn", async () => {
    const { folder, send, stop } = await gatedGateway();
    const expectErased = (place: TemporaryFolder) => {
      for (const [name, content] of filesOf(place)) {
        expect(content.includes(SECRET_MARK), `the text in ${name}`).toBe(false);
        expect(content.includes("nobody may know"), `the text in ${name}`).toBe(false);
      }
    };
    await send("hello");
    expect(await send(SECRET)).toMatchObject({ status: "withheld" });
    const names = filesOf(folder).map(([name]) => name);
    expect(names).toContain("openclaw.db-wal");
    expectErased(folder);

    // The files of a host that is killed now.
    const killed = temporaryFolder();
    onTestFinished(() => killed[Symbol.dispose]());
    cpSync(folder.path, killed.path, { recursive: true });
    await stop();
    const restarted = await startTestGateway(killed, { inlinePlugins: [] });
    onTestFinished(() => restarted.stop("command"));
    expectErased(killed);
    await restarted.receive(message("are you there?"));
    expectErased(killed);
  });

  it("[PLUG-960] is in no file of a running host when it is a command whose text the plugin forgets", async () => {
    const { folder, send } = await gatedGateway({ command: true });
    expect(await send(`/tell ${SECRET}`)).toMatchObject({ status: "replied", text: "of course" });
    const kept = filesOf(folder).filter(([, content]) => content.includes("nobody may know"));
    expect(kept.map(([name]) => name)).toEqual([]);
    expect(JSON.stringify(filesOf(folder))).toContain("I told the server");
  });

  it("[TURN-961] is in no file of a running host when it is the task of a job, and in none after a kill", async () => {
    const { folder, gateway, send, stop } = await gatedGateway();
    const methods = await gateway.methods();
    await send(`/job ${SECRET}`);
    const job = await eventually(async () => {
      const { jobs } = await methods.call("jobs.list", {});
      return jobs.find(({ state }) => state === "failed");
    });
    expect(job).toMatchObject({ title: "blocked task", reason: SHOWN });
    const killed = temporaryFolder();
    onTestFinished(() => killed[Symbol.dispose]());
    cpSync(folder.path, killed.path, { recursive: true });
    for (const [name, content] of [...filesOf(folder), ...filesOf(killed)]) {
      expect(content.includes(SECRET_MARK), `the text in ${name}`).toBe(false);
      expect(content.includes("nobody may know"), `the text in ${name}`).toBe(false);
      expect(content.includes(REASON), `the reason in ${name}`).toBe(false);
    }
    await expect(methods.call("jobs.restart", { jobId: job.jobId })).rejects.toMatchObject({
      code: "JOB_REFUSED",
      message: expect.stringContaining("a plugin blocked its task"),
    });
    await stop();
  });

  it("[TURN-024] [HCR-011] is replaced with the default text when the gate gives none", async () => {
    const { send } = await gatedGateway({ atGate: () => ({ outcome: "block", reason: REASON }) });
    expect(await send(SECRET)).toMatchObject({
      status: "withheld",
      text: "This message was not processed.",
    });
  });

  it("[TURN-024] is emptied together with all messages that were merged into its turn", async () => {
    const { folder, send, stop, shown } = await gatedGateway({
      configuration: '{ "session": { "queueMode": "collect" } }',
    });
    const texts = ["hello", "one more", `psst, ${SECRET_MARK}`];
    const outcomes = await Promise.all(texts.map((text) => send(text)));
    expect(outcomes.map(({ status }) => status)).toEqual(["replied", "withheld", "withheld"]);
    await stop();
    for (const [name, content] of [...filesOf(folder), ["shown", shown.join("\n")] as const]) {
      expect(content.includes(SECRET_MARK), `the text in ${name}`).toBe(false);
    }
  });
});
