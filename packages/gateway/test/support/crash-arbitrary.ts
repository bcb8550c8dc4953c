import fc from "fast-check";
import type { CrashScenario } from "./crash-scenario.js";

const message = fc.record({
  session: fc.constantFrom("one", "two"),
  rounds: fc.array(
    fc.array(fc.constantFrom("once", "look", "fail"), { minLength: 1, maxLength: 3 }),
    { maxLength: 2 },
  ),
  revised: fc.boolean(),
});

/** Scenarios with one to three messages in one or two sessions. */
export const crashScenario: fc.Arbitrary<CrashScenario> = fc
  .record({
    queueMode: fc.constantFrom("queue", "collect", "steer"),
    deduplicates: fc.boolean(),
    textLimit: fc.constantFrom(20, 1000),
    messages: fc.array(message, { minLength: 1, maxLength: 3 }),
  })
  .map(({ messages, ...rest }) => ({
    ...rest,
    messages: messages.map((each, index) => ({ key: `m${index}`, ...each })),
  }));

/** Fault points at which successive processes are killed. */
export const killPoints = fc.array(fc.nat(60), { minLength: 1, maxLength: 6 });
