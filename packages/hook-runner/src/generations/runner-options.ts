import type { Clock } from "@openclaw/foundation";
import type { Fields } from "../define/fields.js";
import type { DiagnosticSink } from "../observe/diagnostic.js";
import type { RegistrationGate } from "./generation.js";

export interface HookRunnerOptions<Name extends string = string> {
  /** Default: the clock of the process. */
  readonly clock?: Clock | undefined;
  /** Default: the console. */
  readonly onDiagnostic?: DiagnosticSink | undefined;
  /** Disables registrations, with a reason (HOOK-044). */
  readonly gate?: RegistrationGate | undefined;
  /** Other names of a hook; using one suggests the hook (HOOK-006). */
  readonly aliases?: Readonly<Record<string, Name>> | undefined;
  /** Name of a `node:diagnostics_channel` that receives every `DispatchTrace`. */
  readonly channel?: string | undefined;
  /**
   * Name of a `TracingChannel` of `node:diagnostics_channel`, which receives the start, end and failure of each
   * dispatch that has handlers, with ids and without content.
   */
  readonly tracingChannel?: string | undefined;
  /** Returns ids of the enclosing trace, read from a dispatch's context. */
  readonly traceIds?: ((context: Fields) => Readonly<Record<string, unknown>>) | undefined;
  /** Redacts an event before it appears in a patch. */
  readonly redact?: ((event: Fields) => Fields) | undefined;
}

export interface TransactionOptions {
  /**
   * `next`: the changes create a new generation; pins of the old one keep its handlers. Default
   * `same`.
   */
  readonly generation?: "same" | "next";
}
