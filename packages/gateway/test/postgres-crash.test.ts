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
    /** URL of the server of the test run. */
    postgresUrl?: string;
  }
}

const CASES = generatedCases(8, 1);

/** Gives a run separate sessions; the runs share a schema, because creating one takes time. */
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

describe("killed host on PostgreSQL", { timeout: generatedTimeout(600_000) }, () => {
  it("[SCALE-030] loses nothing and repeats nothing when it is killed at random points", async () => {
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
