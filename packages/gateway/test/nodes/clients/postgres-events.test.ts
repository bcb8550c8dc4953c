import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Gateway } from "../../../src/running-gateway.js";
import { eventually } from "../../support/eventually.js";
import { message } from "../../support/host.js";
import { openDatabase, startNode } from "../../support/nodes.js";
import { WireClient } from "../../support/wire-client.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const TOKEN = "one-token-of-every-node-of-the-test";
const gateway = { auth: { token: TOKEN } };

interface Received {
  readonly id: string;
  readonly name: string;
  readonly text: string | undefined;
}

/** Reads the events of a node as a browser does. */
async function follow({ url = "" }: Gateway, cursor?: string) {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const headers = new Headers({ authorization: `Bearer ${TOKEN}` });
  if (cursor !== undefined) headers.set("last-event-id", cursor);
  const response = await fetch(`${url}/api/v1/events`, { headers, signal: ended.signal });
  const events: Received[] = [];
  let isResumed = false;
  let rest = "";
  const read = async () => {
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + new TextDecoder().decode(chunk)).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "mu").exec(block)?.[1];
        isResumed ||= block === ": resumed";
        const name = field("event");
        if (name === undefined) continue;
        const { text } = JSON.parse(field("data") ?? "{}");
        events.push({ id: field("id") ?? "", name, text });
      }
    }
  };
  const reading = read().catch(() => undefined);
  return {
    events,
    get isResumed() {
      return isResumed;
    },
    finals: () => events.flatMap(({ name, text }) => (name === "chat.final" ? [text] : [])),
    stored: () => events.filter(({ id }) => id !== ""),
    async stop() {
      ended.abort();
      await reading;
    },
  };
}

describe("clients of nodes on one PostgreSQL", () => {
  it("[SCALE-020] [SCALE-019] [SCALE-013] [GW-023] receive the events of all nodes in one order, and keep their cursor on another node", async () => {
    const { url } = await openDatabase();
    const one = await startNode(url, { gateway });
    const two = await startNode(url, { gateway });
    const streams = [await follow(one.gateway), await follow(two.gateway)];
    const [first, second] = streams;
    const texts = Array.from({ length: 6 }, (_, number) => `message ${number}`);
    for (const [number, text] of texts.entries()) {
      const node = number % 2 === 0 ? one : two;
      expect(await node.gateway.receive(message(text))).toMatchObject({ status: "replied" });
    }
    const replies = texts.map((text) => `reply to ${text}`);
    for (const stream of streams) {
      await eventually(async () => (stream.finals().length === replies.length ? true : undefined));
      expect(stream.finals()).toEqual(replies);
    }
    expect(second?.stored()).toEqual(first?.stored());
    // Deltas of the other node are told too, and none after the end of its turn.
    for (const { events } of streams) {
      const names = events
        .map(({ name }) => name)
        .filter((name) => /chat\.(?:delta|final|started)/u.test(name));
      expect(names.join(" ")).toMatch(/^(?:chat\.started(?: chat\.delta)* chat\.final ?)+$/u);
    }

    // A client that loses its node continues on the other one, without gap and without repetition.
    await first?.stop();
    await one.gateway.stop("command");
    await two.gateway.receive(message("while it was away"));
    const cursor = first?.stored().at(-3)?.id;
    const again = await follow(two.gateway, cursor);
    await eventually(
      async () => again.finals().includes("reply to while it was away") || undefined,
    );
    expect(again.isResumed).toBe(true);
    const expected = second?.stored() ?? [];
    const place = expected.findIndex(({ id }) => id === cursor);
    expect(again.stored()).toEqual(expected.slice(place + 1));

    // A node that starts later knows the events of the time before.
    const three = await startNode(url, { gateway });
    const client = new WireClient(three.gateway.url ?? "");
    await client.event("hello");
    const { snapshot } = await client.connect(TOKEN, {
      subscribe: ["main"],
      resume: { cursor: cursor ?? "" },
    });
    expect(snapshot).toMatchObject({ resumed: true, cursor });
    await client.until(
      () =>
        client.events.some(({ payload }) => payload.text === "reply to while it was away") ||
        undefined,
    );
    client.socket.close();
  });

  it("[SCALE-020] read the state again when a node was lost with what it had not told", async () => {
    const { url, store } = await openDatabase();
    const { gateway: node } = await startNode(url, { gateway });
    const stream = await follow(node);
    await store.nodes.report({ name: "lost", version: "1", facts: {} }, -1);
    await eventually(async () => stream.events.some(({ name }) => name === "resync") || undefined);
  });
});
