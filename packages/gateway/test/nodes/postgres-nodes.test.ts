import { randomUUID } from "node:crypto";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const KEY = { OPENCLAW_SECRET_KEY: "a master key for every node of the test" };

describe("nodes on one PostgreSQL", () => {
  it("[SCALE-006] [SCALE-010] work in one session one after another, in the order of its messages", async () => {
    using one = temporaryFolder();
    using other = temporaryFolder();
    const url = `${inject("postgresUrl")}?schema=nodes_${randomUUID()}`;
    const start = async (folder: ReturnType<typeof temporaryFolder>) => {
      folder.write({ "openclaw.json": JSON.stringify({ store: { url } }) });
      const gateway = await startTestGateway(folder, { port: 0, environment: KEY });
      onTestFinished(() => gateway.stop("command"));
      return gateway;
    };
    const nodes = [await start(one), await start(other)];
    const store = await openStore({ url });
    onTestFinished(() => store.close());
    expect(await store.nodes.list()).toHaveLength(2);

    const texts = Array.from({ length: 12 }, (_, number) => `message ${number}`);
    const sent = texts.map((text, number) => nodes[number % 2]?.receive(message(text)));
    for (const outcome of await Promise.all(sent))
      expect(outcome).toMatchObject({ status: "replied" });

    const [session] = await store.sessions.list({ limit: 10 });
    const entries = await store.messages.transcript.load(session?.sessionId ?? "");
    const roles = entries.map(({ message: { role } }) => role);
    expect(roles).toEqual(texts.flatMap(() => ["user", "assistant"]));
    const inbox = await store.messages.inbox.inState("queued");
    const asked = entries.flatMap(({ message: { role, content } }) =>
      role === "user" ? content.map((part) => ("text" in part ? part.text : "")) : [],
    );
    expect(asked).toEqual(inbox.map(({ content }) => content));
    expect(await store.turns.unfinished()).toEqual([]);
  });
});
