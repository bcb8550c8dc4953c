import { randomUUID } from "node:crypto";
import { generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { crashScenario, killPoints } from "./support/crash-arbitrary.js";
import { runKilled } from "./support/crash-run.js";
import type { CrashScenario } from "./support/crash-scenario.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of the run. */
    postgresUrl?: string;
  }
}

const CASES = generatedCases(20, 1);

/** The runs share a schema, which takes its time to make; each has sessions of its own. */
function ofRun(run: number, { messages, ...rest }: CrashScenario): CrashScenario {
  return {
    ...rest,
    messages: messages.map(({ key, session, ...message }) => ({
      ...message,
      key: `run${run}-${key}`,
      session: `run${run}-${session}`,
    })),
  };
}

describe("a host on PostgreSQL that is killed", { timeout: generatedTimeout(600_000) }, () => {
  it("[SCALE-030] at any points of any work loses nothing, and does nothing twice", async () => {
    const url = `${inject("postgresUrl")}?schema=crash_${randomUUID()}`;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(crashScenario, killPoints, async (sent, points) => {
        const scenario = ofRun(runs, sent);
        runs += 1;
        const run = await runKilled(scenario, points, () => openStore({ url }));
        expect(run.problems).toEqual([]);
      }),
      { ...CASES, endOnFailure: true },
    );
  });
});
