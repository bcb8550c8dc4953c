import { afterAll, describe, expect, it } from "vitest";
import { COMFORT_COMMANDS } from "./support/comfort-commands.js";
import { evaluationPlace } from "./support/evaluation.js";

const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

/**
 * Maximum number of commands in the session that need approval, because they change files or run the
 * project's own code.
 */
const MOST_APPROVALS = 6;

describe("working session", () => {
  it.each(COMFORT_COMMANDS)("[APPR-036] decides %s: %s", async (command, comfort) => {
    expect((await place.evaluate(command)).decision).toBe(comfort === "runs" ? "run" : "ask");
  });

  it("[APPR-036] requires approval for at most 6 of 40 typical commands", () => {
    expect(COMFORT_COMMANDS).toHaveLength(40);
    const asking = COMFORT_COMMANDS.filter(([, comfort]) => comfort === "asks");
    expect(asking.length).toBeLessThanOrEqual(MOST_APPROVALS);
  });
});
