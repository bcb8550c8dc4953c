import { generatedCases, generatedTimeout } from "@openclaw/foundation/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createHookRunner,
  createManualClock,
  type FailureMode,
  type HookKind,
  type ManualClock,
} from "../../src/index.js";
import { settle } from "../support/fixture.js";

interface Result {
  value?: number;
  stop?: boolean;
  handled?: boolean;
}
interface Shape<Kind extends HookKind> {
  kind: Kind;
  event: { n: number; data: { list: number[] } };
  context: { tag: { text: string }; warmUp?: boolean };
  result: Result;
}

const KINDS = ["observe", "rewrite", "decide", "claim", "sync"] as const;
const FAILURES = ["open", "closed"] as const;
const MODES: readonly (FailureMode | undefined)[] = [undefined, "fail-open", "fail-closed"];
const DEADLINE_MS = 45;
const DENIED = -1;

/** Behaviour of a handler, by name; `value` is the result of a good one. */
const BEHAVIOURS = {
  nothing: () => undefined,
  nothingLater: async () => undefined,
  answers: (value) => ({ value, handled: false }),
  answersLater: async (value) => ({ value, handled: false }),
  slow: (value, clock) =>
    new Promise((resolve) => clock.setTimeout(() => resolve({ value, handled: false }), 20)),
  stops: (value) => ({ stop: true, handled: true, value }),
  throws: () => {
    throw new Error("boom");
  },
  rejects: async () => {
    throw "not even an error";
  },
  hangs: () => new Promise(() => {}),
  late: (_value, clock) =>
    new Promise((resolve) => clock.setTimeout(() => resolve({ value: 666, stop: false }), 200)),
  lateRejection: (_value, clock) =>
    new Promise((_resolve, reject) => clock.setTimeout(() => reject(new Error("late")), 200)),
  malformed: () => 42,
  malformedLater: async () => ["not", "an", "object"],
  wrongType: () => ({ stop: "yes", handled: "yes", value: 666 }),
  unknownOnly: () => ({ stopp: true }),
  getter: () => ({
    get value(): number {
      throw new Error("getter");
    },
  }),
  mutates: (_value, _clock, event, context) => {
    event.n = 666;
    event.data.list.push(666);
    context.tag.text = "mutated";
    return undefined;
  },
} satisfies Record<
  string,
  (
    value: number,
    clock: ManualClock,
    event: Shape<"decide">["event"],
    context: Shape<"decide">["context"],
  ) => unknown
>;
type Behaviour = keyof typeof BEHAVIOURS;

type Effect = "nothing" | "value" | "stop" | "fails" | "times out";

/** The documented effect of each behaviour, for the kind of hook it runs in. */
function effectOf(behaviour: Behaviour, kind: HookKind, closed: boolean): Effect {
  const promises: readonly Behaviour[] = [
    "nothingLater",
    "answersLater",
    "slow",
    "rejects",
    "hangs",
    "late",
    "lateRejection",
    "malformedLater",
  ];
  if (kind === "sync" && promises.includes(behaviour)) return "nothing";
  switch (behaviour) {
    case "nothing":
    case "nothingLater":
    case "mutates":
      return "nothing";
    case "answers":
    case "answersLater":
    case "slow":
      return kind === "claim" ? "nothing" : "value";
    case "stops":
      return kind === "rewrite" ? "value" : "stop";
    case "throws":
    case "rejects":
      return "fails";
    case "hangs":
    case "late":
    case "lateRejection":
      return "times out";
    case "malformed":
    case "malformedLater":
    case "wrongType":
    case "getter":
      return kind === "observe" ? "nothing" : "fails";
    case "unknownOnly":
      return kind === "observe" || !closed ? "nothing" : "fails";
  }
}

interface Handler {
  readonly behaviour: Behaviour;
  readonly mode: FailureMode | undefined;
  readonly onTimeout: FailureMode | undefined;
}
interface Scenario {
  readonly kind: HookKind;
  readonly failure: "open" | "closed";
  readonly denies: boolean;
  readonly handlers: readonly Handler[];
}
type Outcome = { readonly result: Result | undefined } | "rejected";

/** Returns the expected outcome of a dispatch: the contract, restated as a plain loop. */
function expectedOutcome({ kind, failure, denies, handlers }: Scenario): Outcome {
  let result: Result | undefined;
  let failed = false;
  for (const [index, { behaviour, mode, onTimeout }] of handlers.entries()) {
    const closed = mode === undefined ? failure === "closed" : mode === "fail-closed";
    const closedOnTimeout = onTimeout === undefined ? closed : onTimeout === "fail-closed";
    const effect = effectOf(behaviour, kind, closed);
    const failsClosed =
      (effect === "fails" && closed) || (effect === "times out" && closedOnTimeout);
    if (kind === "observe") {
      failed ||= failsClosed;
    } else if (failsClosed) {
      if (!denies) return "rejected";
      const denial = { value: DENIED, stop: true, handled: true };
      return { result: kind === "claim" ? denial : { ...result, ...without(denial, "handled") } };
    } else if (effect === "value") {
      const value = behaviour === "stops" ? { value: index, stop: true } : { value: index };
      result = { ...result, ...value };
    } else if (effect === "stop") {
      const stop = { value: index, stop: true };
      return { result: kind === "claim" ? { ...stop, handled: true } : { ...result, ...stop } };
    }
  }
  return failed ? "rejected" : { result };
}

function without(result: Result, key: keyof Result): Result {
  const { [key]: _dropped, ...rest } = result;
  return rest;
}

const hookOf = ({ kind, failure, denies }: Scenario) => `${kind} ${failure} ${denies}`;

function createMatrixRunner(clock: ManualClock) {
  const deny = () => ({ value: DENIED, stop: true, handled: true });
  const definitions: Record<string, object> = {};
  for (const kind of KINDS) {
    for (const failure of FAILURES) {
      for (const denies of [true, false]) {
        definitions[`${kind} ${failure} ${denies}`] = {
          kind,
          failure,
          ...(kind === "sync" ? {} : { deadlineMs: DEADLINE_MS }),
          ...(kind === "observe" || kind === "claim"
            ? {}
            : { merge: { value: "last", stop: "any" } }),
          ...(kind === "claim" ? { fields: ["value", "stop"] } : {}),
          ...(kind === "decide" || kind === "sync"
            ? { terminal: { field: "stop", value: true } }
            : {}),
          ...(kind !== "observe" && denies ? { deny } : {}),
        };
      }
    }
  }
  return createHookRunner<{ [name: string]: Shape<"decide"> }>(definitions as never, {
    clock,
    onDiagnostic: () => {},
  });
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  kind: fc.constantFrom(...KINDS),
  failure: fc.constantFrom(...FAILURES),
  denies: fc.boolean(),
  handlers: fc.array(
    fc.record({
      behaviour: fc.constantFrom(...(Object.keys(BEHAVIOURS) as Behaviour[])),
      mode: fc.constantFrom(...MODES),
      onTimeout: fc.constantFrom(...MODES),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

/**
 * Amount of recording for the checked dispatches: the first ones of a list are timed, a listener
 * receives everything, and later ones are not recorded.
 */
const NOTING = ["timed", "traced", "unnoted"] as const;
type Noting = (typeof NOTING)[number];
/** More dispatches than a runner times at the start. */
const WARM_UP = 10;

/** Runs scenarios side by side on one runner and compares each with the expected outcome. */
async function check(scenarios: readonly Scenario[], noting: Noting): Promise<void> {
  const clock = createManualClock();
  const runner = createMatrixRunner(clock);
  const stop = noting === "traced" ? runner.trace(() => {}, { diff: true }) : () => {};
  const seen: string[] = [];
  runner.transaction(() => {
    for (const [number, { handlers, ...rest }] of scenarios.entries()) {
      for (const [index, { behaviour, mode, onTimeout }] of handlers.entries()) {
        runner.register({
          name: hookOf({ ...rest, handlers }),
          owner: String(number),
          source: behaviour,
          id: `${number}.${index}`,
          priority: -index,
          ...(mode === undefined ? {} : { mode }),
          ...(onTimeout === undefined || rest.kind === "sync" ? {} : { onTimeout }),
          handler: (event, context) => {
            if (context.warmUp) return undefined;
            const fresh = event.n === 1 && event.data.list.length === 1 && context.tag.text === "t";
            if (!fresh) seen.push(`${number}.${index} saw what another handler wrote`);
            return BEHAVIOURS[behaviour](index, clock, event, context) as never;
          },
        });
      }
    }
  });

  const event = { n: 1, data: { list: [1] } };
  const context: Shape<"decide">["context"] = { tag: { text: "t" } };
  const run = async (each: Scenario, number: number, given: typeof context) =>
    runner[each.kind as "decide"](hookOf(each), event, given, { owner: String(number) });
  for (let count = 0; noting === "unnoted" && count < WARM_UP; count += 1) {
    await Promise.all(
      scenarios.map((each, number) => run(each, number, { ...context, warmUp: true })),
    );
  }
  const dispatches = scenarios.map((each, number): Promise<Outcome> => {
    return run(each, number, context).then(
      (result) => ({ result }),
      () => "rejected",
    );
  });
  for (let tick = 0; tick < 40; tick += 1) {
    clock.advance(15);
    await settle();
  }
  const outcomes = await Promise.all(dispatches);
  stop();
  for (const [number, each] of scenarios.entries()) {
    const expected = expectedOutcome(each);
    expect(outcomes[number], JSON.stringify(each)).toEqual(expected);
  }
  expect(seen).toEqual([]);
  expect([event, context]).toEqual([{ n: 1, data: { list: [1] } }, { tag: { text: "t" } }]);
}

/** Scenarios that run at the same time. */
const PER_BATCH = 400;

describe("failing handlers", () => {
  it("[HOOK-034] have exactly the documented effect when hung, throwing, slow, late, malformed or mutating", {
    timeout: generatedTimeout(60_000),
  }, async () => {
    const { numRuns, seed = 1_000 } = generatedCases(36 * PER_BATCH, 1_000);
    const batches = Math.ceil(numRuns / PER_BATCH);
    let handlers = 0;
    for (let batch = 0; batch < batches; batch += 1) {
      const scenarios = fc.sample(scenario, {
        numRuns: PER_BATCH,
        seed: seed + batch,
      });
      await check(scenarios, NOTING[batch % 3] ?? "unnoted");
      for (const each of scenarios) handlers += each.handlers.length;
    }
    expect(handlers).toBeGreaterThan(numRuns * 2);
  });

  it("[HOOK-034] have the documented effect for each behaviour in every kind and mode", async () => {
    const scenarios: Scenario[] = [];
    for (const kind of KINDS)
      for (const failure of FAILURES)
        for (const denies of [true, false])
          for (const mode of MODES)
            for (const onTimeout of MODES)
              for (const behaviour of Object.keys(BEHAVIOURS) as Behaviour[])
                scenarios.push({
                  kind,
                  failure,
                  denies,
                  handlers: [{ behaviour, mode, onTimeout }],
                });
    expect(scenarios).toHaveLength(5 * 2 * 2 * 3 * 3 * 17);
    for (const noting of NOTING) await check(scenarios, noting);
  });

  it("[HOOK-034] never let a dispatch pass when they fail closed", async () => {
    const failing: readonly Behaviour[] = [
      "throws",
      "rejects",
      "hangs",
      "late",
      "lateRejection",
      "malformed",
      "malformedLater",
      "wrongType",
      "unknownOnly",
      "getter",
    ];
    for (const behaviour of failing) {
      for (const denies of [true, false]) {
        const clock = createManualClock();
        const runner = createMatrixRunner(clock);
        const name = `decide closed ${denies}`;
        runner.register({
          name,
          owner: "p",
          source: "s",
          handler: (event, context) => BEHAVIOURS[behaviour](0, clock, event, context) as never,
        });
        const outcome = Promise.resolve(
          runner.decide(name, { n: 1, data: { list: [1] } }, { tag: { text: "t" } }),
        ).then(
          (result) => result?.stop === true,
          () => true,
        );
        for (let tick = 0; tick < 20; tick += 1) {
          clock.advance(15);
          await settle();
        }
        expect(await outcome, behaviour).toBe(true);
      }
    }
  });
});
