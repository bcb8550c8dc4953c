import { describe, expect, it } from "vitest";
import { runTurn } from "../../src/index.js";
import { dyingStore } from "../support/failing-store.js";
import { type TurnHost, turnHost } from "../support/turn-host.js";

const SESSION = "agent:main:main";
/** More commits than a turn without tools makes. */
const MOST_COMMITS = 20;

/**
 * Runs the turn of a host in processes that are killed before and after each of its commits.
 * @param prepare - makes a host, whose first turn is cut off
 * @param look - looks at what the killed process left
 */
async function killedAtEachCommit(
  prepare: () => Promise<TurnHost>,
  look: (host: TurnHost) => Promise<void>,
): Promise<void> {
  for (const isLastCommitted of [false, true]) {
    for (let lives = 0; lives < MOST_COMMITS; lives++) {
      const host = await prepare();
      const { store, died } = dyingStore(host.store, lives, isLastCommitted);
      const turn = runTurn(host.request(), { ...host.services, store }, host.pin);
      await Promise.race([turn, died]);
      await look(host);
    }
  }
}

async function hasStep({ store }: TurnHost, kind: string): Promise<boolean> {
  return (await store.turns.journal.load("run-1")).some(({ step }) => step.kind === kind);
}

describe("process killed at any commit", () => {
  it("[TURN-049] has consumed an injection exactly when the request that holds it is journaled", async () => {
    const seen = new Set<string>();
    await killedAtEachCommit(
      async () => {
        const host = await turnHost();
        const injection = { sessionKey: SESSION, text: "left" };
        await host.store.sessions.injections.enqueue("notes", injection);
        return host;
      },
      async (host) => {
        const { injections } = host.store.sessions;
        const again = await injections.drain(SESSION, "run-2", () => true);
        const isJournaled = await hasStep(host, "model-requested");
        seen.add(`${again.injections.length} ${isJournaled}`);
      },
    );
    expect([...seen].sort()).toEqual(["0 true", "1 false"]);
  });

  it("[TURN-029] has counted the tokens of a reply exactly when the reply is journaled", async () => {
    const seen = new Set<string>();
    await killedAtEachCommit(
      () => turnHost({ script: [{ text: "ok", usage: { input: 60, output: 40 } }] }),
      async (host) => {
        const tokens = await host.store.sessions.tokenTotals.of({ agentId: "main" });
        seen.add(`${tokens} ${await hasStep(host, "model-answered")}`);
      },
    );
    expect([...seen].sort()).toEqual(["0 false", "100 true"]);
  });
});
