import {
  createHookRunner,
  createManualClock,
  type HookContext,
  type HookDefinitions,
  type HookDiagnostic,
  type HookEvent,
  type HookRunner,
  type HookRunnerOptions,
  type ManualClock,
} from "../../src/index.js";

export interface CallContext {
  agentId?: string;
  channelId?: string;
  messageProvider?: string;
  toolName?: string;
  traceId?: string;
  details?: { level: number; tags: string[] };
}

export interface CheckEvent {
  toolName: string;
  params: Record<string, unknown>;
  history?: readonly { text: string }[];
  channel?: string;
}

export interface CheckResult {
  params?: Record<string, unknown>;
  block?: boolean;
  blockReason?: string;
  guidance?: string;
}

/** One hook of every kind, closed and open ones among them. */
export interface TestMap {
  seen: {
    kind: "observe";
    event: { id: string; data?: object };
    context: CallContext;
    result: undefined;
  };
  audited: { kind: "observe"; event: { id: string }; context: CallContext; result: undefined };
  build: {
    kind: "rewrite";
    event: { text: string; tags: string[]; limits?: Record<string, number> };
    context: CallContext;
    result: {
      text?: string;
      tags?: string[];
      only?: string[];
      system?: string;
      note?: string;
      urgent?: boolean;
      limits?: Record<string, number>;
      score?: number;
    };
  };
  check: { kind: "decide"; event: CheckEvent; context: CallContext; result: CheckResult };
  gate: {
    kind: "decide";
    event: { prompt: string };
    context: CallContext;
    result: { outcome: "pass" | "block"; reason?: string };
  };
  send: {
    kind: "decide";
    event: { content: string };
    context: CallContext;
    result: { content?: string; cancel?: boolean; handled?: boolean; text?: string };
  };
  answer: {
    kind: "claim";
    event: { body: string };
    context: CallContext;
    result: { handled: boolean; reply?: string };
  };
  write: {
    kind: "sync";
    event: { message: { role: string; text: string } };
    context: CallContext;
    result: { message?: { role: string; text: string }; block?: boolean };
  };
  stamp: {
    kind: "sync";
    event: { line: string };
    context: CallContext;
    result: { line?: string };
  };
}

export const DEADLINE_MS = 1_000;

export const definitions: HookDefinitions<TestMap> = {
  seen: { kind: "observe", deadlineMs: DEADLINE_MS, failure: "open" },
  audited: { kind: "observe", deadlineMs: DEADLINE_MS, failure: "closed" },
  build: {
    kind: "rewrite",
    deadlineMs: DEADLINE_MS,
    failure: "open",
    merge: {
      text: "last",
      tags: "append",
      only: "intersect",
      system: "first",
      note: "concat",
      urgent: "any",
      limits: "assign",
      score: (sum = 0, next) => sum + next,
    },
  },
  check: {
    kind: "decide",
    deadlineMs: DEADLINE_MS,
    failure: "closed",
    merge: { params: "last", block: "any", blockReason: "last", guidance: "concat" },
    terminal: { field: "block", value: true },
    deny: ({ reason }) => ({ block: true, blockReason: reason }),
    isolate: { params: "copy", history: "frozen" },
    hasTool: true,
  },
  gate: {
    kind: "decide",
    deadlineMs: DEADLINE_MS,
    failure: "closed",
    merge: { outcome: "last", reason: "last" },
    terminal: { field: "outcome", value: "block" },
    emptyResult: "validate",
    validate: (result) =>
      result?.outcome === "pass" || result?.outcome === "block" || "outcome must be pass or block",
  },
  send: {
    kind: "decide",
    deadlineMs: DEADLINE_MS,
    failure: "open",
    merge: { content: "last", cancel: "any", handled: "any", text: "last" },
    terminal: [
      { field: "cancel", value: true },
      { field: "handled", value: true },
    ],
    deny: () => ({ cancel: true }),
  },
  answer: { kind: "claim", deadlineMs: DEADLINE_MS, failure: "open", fields: ["reply"] },
  write: {
    kind: "sync",
    failure: "closed",
    merge: { message: "last", block: "any" },
    terminal: { field: "block", value: true },
    deny: () => ({ block: true }),
  },
  stamp: { kind: "sync", failure: "open", merge: { line: "last" } },
};

export interface Fixture {
  readonly runner: HookRunner<TestMap>;
  readonly clock: ManualClock;
  readonly diagnostics: HookDiagnostic[];
}

/** Creates a runner on a stopped clock, and collects its diagnostics. */
export function createFixture(options: HookRunnerOptions<keyof TestMap> = {}): Fixture {
  const clock = createManualClock();
  const diagnostics: HookDiagnostic[] = [];
  const runner = createHookRunner<TestMap>(definitions, {
    clock,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  return { runner, clock, diagnostics };
}

/** Lets every settled promise reach its consumers. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Advances the clock tick by tick, so that promises settle in between. */
export async function advance(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 15) {
    clock.advance(Math.min(left, 15));
    await settle();
  }
}

export const hang = (): Promise<never> => new Promise(() => {});

export type Check = TestMap["check"];

/** Registers a handler of the hook `check`. */
export function registerCheck(
  runner: ReturnType<typeof createFixture>["runner"],
  handler: (event: HookEvent<Check>, context: HookContext<Check>) => unknown,
  owner = "a",
): void {
  runner.register({ name: "check", owner, source: owner, handler: handler as () => void });
}
