import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const text = Type.String({ minLength: 1, maxLength: 400 });

/** A run by its id, or the newest: of a session, or of the one that was used last. */
const run = Type.Object({ runId: Type.Optional(text), sessionKey: Type.Optional(text) }, closed);

/** Parameters of the methods about runs, by name. */
export const runMethodParameters = {
  "run.trace": run,
  "run.recording": run,
};

/** Name of a method about runs. */
export type RunMethod = keyof typeof runMethodParameters;

/** Parameters of a method about runs. */
export type RunMethodParameters<Method extends RunMethod> = Static<
  (typeof runMethodParameters)[Method]
>;

/** What a handler changed of the event, as one operation of a JSON Patch; the value in short. */
export interface RunHookChange {
  readonly op: "add" | "replace" | "remove";
  readonly path: string;
  readonly value?: string;
}

/** What became of one handler of a dispatch. Times are milliseconds. */
export interface RunHookHandler {
  readonly pluginId: string;
  readonly label?: string;
  readonly stage?: "policy";
  /** For example `ok`, `no-result`, `terminal`, `threw` or `timeout`. */
  readonly outcome: string;
  readonly durationMs: number;
  readonly attempts?: number;
  readonly queueWaitMs?: number;
  /** What it returned beside its changes, by field, in short. */
  readonly result?: Readonly<Record<string, string>>;
  readonly patch?: readonly RunHookChange[];
}

/** What one dispatch of a hook came to. */
export interface RunHookNote {
  readonly hook: string;
  readonly kind: string;
  /** Of the step at which it fired. */
  readonly spanId: string;
  /** When it began, in milliseconds since the epoch, with fractions. */
  readonly at: number;
  readonly durationMs: number;
  /** For example `completed`, `terminal`, `denied` or `failed`. */
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly handlers: readonly RunHookHandler[];
}

/** A step of a run. */
export interface RunSpan {
  readonly spanId: string;
  /** Absent for the message itself, in which all others lie. */
  readonly parentSpanId?: string;
  readonly kind: "message" | "run" | "model" | "tool" | "approval" | "hook" | "step";
  /** For example `demo/echo`, `exec` or `before_tool_call`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Absent while it is under way, or where a process ended in it. */
  readonly durationMs?: number;
  readonly status: "ok" | "error" | "refused" | "open";
  /** One line for people. */
  readonly summary: string;
  /** What is known of it, by name. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Of a hook: what its handlers did. */
  readonly handlers?: readonly RunHookHandler[];
}

/** The way of a run, from its message to its delivered reply. */
export interface RunTrace {
  readonly runId: string;
  readonly traceId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly messageId: string;
  readonly state: string;
  /** In the order in which they began; each behind the one in which it lies. */
  readonly spans: readonly RunSpan[];
  /** False where what its hooks did is not kept, or no more. */
  readonly hasHooks: boolean;
}

/** Results of the methods about runs. */
export interface RunMethodResults {
  "run.trace": RunTrace;
  /** What a replay of the run needs; only `openclaw replay` looks into it. */
  "run.recording": Readonly<Record<string, unknown>>;
}
