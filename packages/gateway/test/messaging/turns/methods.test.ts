import { globSync } from "node:fs";
import { basename } from "node:path";
import { createGatewayClient } from "@openclaw/client";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createChatMethods } from "@openclaw/messaging";
import { METHOD_SCOPES, type MethodScope } from "@openclaw/protocol";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";
import { createTestHost, gate, message, SESSION } from "../../support/host.js";

/** Creates a host whose model never finishes its reply. */
async function busyHost() {
  const [asked, forever] = [gate(), gate()];
  const host = await createTestHost({
    script: () => {
      asked.pass();
      return { text: "late", waitFor: forever.passed };
    },
  });
  const reply = host.flow.receive(message("begin"), {});
  await asked.passed;
  return { host, reply };
}

describe("chat.abort", () => {
  it("[TURN-053] interrupts the turn of a session given by its short key, and returns false when no turn runs", async () => {
    const folder = temporaryFolder();
    const begun = gate();
    const forever = gate();
    const gateway = await startTestGateway(folder, {
      port: 0,
      inlinePlugins: [
        {
          id: "slow",
          register(api) {
            api.on("agent_turn_prepare", async () => {
              begun.pass();
              await forever.passed;
            });
          },
        },
      ],
    });
    onTestFinished(async () => {
      await gateway.stop("command");
      folder[Symbol.dispose]();
    });
    const { url = "", state } = gateway;
    const client = createGatewayClient({ url, token: loadGatewayToken(state.tokenFile) });
    const reply = gateway.receive(message("begin"));
    await begun.passed;
    expect(await client.call("chat.abort", { sessionKey: "main" })).toEqual({ aborted: true });
    expect(await reply).toMatchObject({ status: "interrupted" });
    for (let again = 0; again < 2; again += 1) {
      expect(await client.call("chat.abort", { sessionKey: "main" })).toEqual({ aborted: false });
    }
  });

  it("[TURN-053] does not interrupt a turn with another run ID", async () => {
    const { host, reply } = await busyHost();
    const [running] = host.live.turns(SESSION);
    expect(await host.interrupts.interrupt({ sessionKey: SESSION, runId: "another-run" })).toBe(
      false,
    );
    expect(await host.interrupts.interrupt({ sessionKey: "agent:main:other" })).toBe(false);
    const { runId } = running?.turn ?? {};
    expect(await host.interrupts.interrupt({ sessionKey: SESSION, runId })).toBe(true);
    expect(await reply).toMatchObject({ status: "interrupted" });
  });
});

describe("chat.history", () => {
  it("[EXT-509] has the reply of a turn that ends while it is read", async () => {
    const [asked, answered] = [gate(), gate()];
    const host = await createTestHost({
      script: () => {
        asked.pass();
        return { text: "There it is.", waitFor: answered.passed };
      },
    });
    const reply = host.flow.receive(message("begin"), {});
    await asked.passed;
    const { store, live, flow } = host;
    const methods = createChatMethods({
      ...{ store, agentIds: ["main"] },
      receive: (sent, caller) => flow.receive(sent, caller),
      received: { save: () => Promise.reject(new Error("no recording is sent")) },
      fullKey: () => SESSION,
      openTurns: (sessionKey) => live.turns(sessionKey).map(({ turn }) => turn),
      interrupt: async () => false,
    });
    const { transcript } = store.messages;
    const load = transcript.load.bind(transcript);
    vi.spyOn(transcript, "load").mockImplementationOnce(async (...parameters) => {
      const entries = await load(...parameters);
      answered.pass();
      await reply;
      return entries;
    });
    const caller = { id: "gateway", scopes: METHOD_SCOPES, via: "http" } as const;
    const call = { caller, signal: new AbortController().signal };
    expect(await methods.dispatch("chat.history", { sessionKey: "main" }, call)).toMatchObject({
      runs: [{ state: "completed" }],
      messages: [{ role: "user" }, { role: "assistant", content: [{ text: "There it is." }] }],
    });
  });
});

describe("chat.send", () => {
  it("[GW-024] [TURN-002] has the sender of its token: the operator, or a named token that is an owner only with every right; keys are separate", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder);
    const methods = await gateway.methods();
    const send = async (id: string, scopes: readonly MethodScope[]) => {
      const caller = { id, scopes, via: "http" } as const;
      const parameters = { sessionKey: "main", text: `from ${id}` };
      const call = { caller, signal: new AbortController().signal, idempotencyKey: "the same" };
      return methods.dispatch("chat.send", parameters, call);
    };
    const sent = [
      await send("gateway", METHOD_SCOPES),
      await send("deployer", ["operator.admin"]),
      await send("api", ["operator.write"]),
      await send("gateway", METHOD_SCOPES),
    ];
    const ids = sent.map((each) => (each as { messageId: string }).messageId);
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
    await expect(send("reader", ["operator.read"])).rejects.toMatchObject({
      code: "MISSING_SCOPE",
    });
    await gateway.stop("command");
    const store = await openStore({ file: gateway.state.databaseFile });
    const rows = await Promise.all(ids.slice(0, 3).map((id) => store.messages.inbox.get(id)));
    await store.close();
    expect(rows).toMatchObject([
      { senderId: "api", accountId: "default", metadata: { senderIsOwner: true } },
      { senderId: "deployer", accountId: "token", metadata: { senderIsOwner: true } },
      { senderId: "api", accountId: "token", metadata: { senderIsOwner: false } },
    ]);
  });
});

describe("images of chat.send", () => {
  const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(13)]);
  const base64 = (content: Uint8Array) => Buffer.from(content).toString("base64");

  it("[GW-800] [UI-510] reach the conversation with the type of their bytes", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder);
    const methods = await gateway.methods();
    const images = [{ data: base64(PNG) }, { data: base64(Buffer.from("GIF89a, and more")) }];
    const { messageId } = await methods.call("chat.send", {
      sessionKey: "main",
      text: "see",
      images,
    });
    const { messages } = await vi.waitUntil(async () => {
      const history = await methods.call("chat.history", { sessionKey: "main" });
      return history.messages.some(({ role }) => role === "assistant") && history;
    });
    expect(messages[0]).toMatchObject({ messageId, role: "user" });
    expect(messages[0]?.content).toEqual([
      { type: "text", text: "see" },
      { type: "image", mimeType: "image/png" },
      { type: "image", mimeType: "image/gif" },
    ]);
    const seq = messages[0]?.seq ?? 0;
    const image = { sessionKey: "main", seq, image: 2 };
    expect(await methods.call("chat.image", image)).toEqual({
      mimeType: "image/gif",
      data: images[1]?.data,
    });
    for (const none of [
      { ...image, image: 3 },
      { ...image, seq: seq + 9 },
    ]) {
      await expect(methods.call("chat.image", none)).rejects.toMatchObject({
        code: "IMAGE_NOT_FOUND",
      });
    }
    await gateway.stop("command");
  });

  it("[TURN-504] gives the model the text of files, PDFs and images, by their bytes", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder);
    const methods = await gateway.methods();
    await methods.call("chat.send", {
      ...{ sessionKey: "main", text: "read" },
      files: [
        { name: "notes.md", data: base64(Buffer.from("# Notes")) },
        { name: "paper.bin", data: base64(Buffer.from("%PDF-1.7, a document")) },
        { name: "picture", data: base64(PNG) },
      ],
    });
    const { messages } = await vi.waitUntil(async () => {
      const history = await methods.call("chat.history", { sessionKey: "main" });
      return history.messages.some(({ role }) => role === "assistant") && history;
    });
    expect(messages[0]?.content).toEqual([
      { type: "text", text: 'read\n\n[File "notes.md"]\n# Notes' },
      { type: "file", mimeType: "application/pdf", name: "paper.bin" },
      { type: "image", mimeType: "image/png" },
    ]);
    await expect(
      methods.call("chat.send", {
        ...{ sessionKey: "main", text: "read" },
        files: [{ name: "program", data: base64(Buffer.from([127, 69, 76, 70, 0, 255])) }],
      }),
    ).rejects.toMatchObject({
      code: "MESSAGE_REFUSED",
      message: expect.stringContaining(
        "file 1 is neither a PDF, an image, audio nor text in UTF-8",
      ),
    });
    await gateway.stop("command");
  });

  it("[UI-011] [UI-567] stores a recording, which a plugin transcribes, once for each message", async () => {
    using folder = temporaryFolder();
    const heard: object[] = [];
    const gateway = await startTestGateway(folder, {
      inlinePlugins: [
        {
          id: "ears",
          register(api) {
            api.on("transcribe_audio", async ({ audio, channel }) => {
              heard.push({ type: audio.mimeType, bytes: (await audio.read()).length, channel });
              return { handled: true, text: "What time is it?" };
            });
          },
        },
      ],
    });
    const methods = await gateway.methods();
    const sound = Buffer.from("OggS and the rest of the sound");
    const message = {
      ...{ sessionKey: "main", text: "(voice message)" },
      files: [
        { name: "../note.ogg", data: base64(sound) },
        { name: "notes.md", data: base64(Buffer.from("# Notes")) },
      ],
    };
    const caller = { id: "gateway", scopes: METHOD_SCOPES, via: "http" } as const;
    const call = { caller, signal: new AbortController().signal, idempotencyKey: "one" };
    const send = () => methods.dispatch("chat.send", message, call);
    await send();
    const { messages } = await vi.waitUntil(async () => {
      const history = await methods.call("chat.history", { sessionKey: "main" });
      return history.messages.some(({ role }) => role === "assistant") && history;
    });
    const text =
      '(voice message)\n\n[File "notes.md"]\n# Notes\n[Transcript of note.ogg] What time is it?';
    expect(messages[0]?.content).toEqual([{ type: "text", text }]);
    expect(heard).toEqual([{ type: "audio/ogg", bytes: sound.length, channel: "api" }]);
    const files = () =>
      globSync("**/received/api/*", { cwd: folder.path }).map((file) => basename(file));
    expect(files()).toEqual([expect.stringMatching(/^[\w-]{36}\.ogg$/)]);
    expect(await send()).toMatchObject({ messageId: messages[0]?.messageId });
    expect(files()).toHaveLength(1);
    await gateway.stop("command");
  });

  it.each([
    ["image 2 is not a PNG, JPEG, GIF or WebP image", base64(Buffer.from("%PDF-1.7, a document"))],
    ["image 2 is not base64", "iVBO\nRw0KGgo"],
    ["image 2 has 5000004 characters of base64", "A".repeat(5_000_004)],
  ])("[GW-800] are rejected before the message is stored: %s", async (problem, data) => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder);
    const methods = await gateway.methods();
    const images = [{ data: base64(PNG) }, { data }];
    await expect(
      methods.call("chat.send", { sessionKey: "main", text: "see", images }),
    ).rejects.toMatchObject({ code: "MESSAGE_REFUSED", message: expect.stringContaining(problem) });
    const { messages } = await methods.call("chat.history", { sessionKey: "main" });
    expect(messages).toEqual([]);
    await gateway.stop("command");
  });
});

describe("sessions.subscribe", () => {
  it("needs a connection", async () => {
    using folder = temporaryFolder();
    const gateway = await startTestGateway(folder);
    const methods = await gateway.methods();
    for (const name of ["sessions.subscribe", "sessions.unsubscribe"] as const) {
      await expect(methods.call(name, { sessionKey: "main" })).rejects.toMatchObject({
        code: "CONNECTION_NEEDED",
      });
    }
    await gateway.stop("command");
  });
});
