import { afterAll, describe, expect, it } from "vitest";
import { COMFORT_COMMANDS } from "./support/comfort-commands.js";
import { judgingPlace } from "./support/evaluation.js";

const place = judgingPlace();
afterAll(() => place[Symbol.dispose]());

/** Those that change something or run the project's own code. */
const MOST_QUESTIONS = 6;

describe("a working session", () => {
  it.each(COMFORT_COMMANDS)("[APPR-036] %s: %s", async (command, comfort) => {
    expect((await place.evaluate(command)).decision).toBe(comfort === "runs" ? "run" : "ask");
  });

  it("[APPR-036] of 40 commands asks at most 6 times, git included", () => {
    expect(COMFORT_COMMANDS).toHaveLength(40);
    const asking = COMFORT_COMMANDS.filter(([, comfort]) => comfort === "asks");
    expect(asking.length).toBeLessThanOrEqual(MOST_QUESTIONS);
  });
});
