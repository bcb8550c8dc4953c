import { describe, expect, it, vi } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { eventually } from "../support/eventually.js";
import { message } from "../support/host.js";
import { openDatabase, startNode } from "../support/nodes.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SESSIONS = ["one", "two", "three", "four"].map((name) => `agent:main:${name}`);

describe("nodes that are restarted one after another", () => {
  it("[SCALE-023] lose no acknowledged message and no stored turn under load", async () => {
    const { url, store } = await openDatabase();
    const nodes: Gateway[] = [];
    for (let number = 0; number < 3; number += 1) nodes.push((await startNode(url)).gateway);
    let isRestarting = true;
    /** Sends until all nodes are restarted; another node gets what one rejects. */
    const load = async (sessionKey: string): Promise<readonly string[]> => {
      const acknowledged: string[] = [];
      for (let attempt = 0; isRestarting || attempt < nodes.length; attempt += 1) {
        const text = `message ${acknowledged.length}`;
        const node = nodes[attempt % nodes.length];
        try {
          const outcome = await node?.receive(message(text, { sessionKey }));
          expect(["replied", "interrupted"]).toContain(outcome?.status);
          acknowledged.push(text);
        } catch (error) {
          expect(error).toMatchObject({ kind: "unavailable" });
          await new Promise<void>((resolve) => setImmediate(resolve));
        }
      }
      return acknowledged;
    };
    const loads = SESSIONS.map(load);
    for (const [place, node] of [...nodes].entries()) {
      await node.stop("command");
      nodes[place] = (await startNode(url)).gateway;
    }
    isRestarting = false;
    const acknowledged = await Promise.all(loads);

    await eventually(async () =>
      (await store.turns.unfinished()).length === 0 ? true : undefined,
    );
    for (const [index, sessionKey] of SESSIONS.entries()) {
      const session = await store.sessions.get(sessionKey);
      const entries = await store.messages.transcript.load(session?.sessionId ?? "");
      const said = entries.map(({ message: { role, content } }) =>
        [role, ...content.map((part) => ("text" in part ? part.text : ""))].join(": "),
      );
      const expected = (acknowledged[index] ?? []).flatMap((text) => [
        `user: ${text}`,
        `assistant: reply to ${text}`,
      ]);
      expect(said).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
    }
  });
});
