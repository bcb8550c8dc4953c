import type { Clock } from "@openclaw/foundation";
import type { Fields } from "../define/fields.js";
import type { DiagnosticSink } from "../observe/diagnostic.js";
import type { RegistrationGate } from "./generation.js";

export interface HookRunnerOptions<Name extends string = string> {
  /** Default: the process's own. */
  readonly clock?: Clock | undefined;
  /** Default: the console. */
  readonly onDiagnostic?: DiagnosticSink | undefined;
  /** Holds registrations back, with a reason (HOOK-044). */
  readonly gate?: RegistrationGate | undefined;
  /** Other names a hook is known by; asking for one suggests the hook (HOOK-006). */
  readonly aliases?: Readonly<Record<string, Name>> | undefined;
  /** Name of a `node:diagnostics_channel` that gets every `DispatchTrace`. */
  readonly channel?: string | undefined;
  /** Ids of the surrounding trace, read from a dispatch's context. */
  readonly traceIds?: ((context: Fields) => Readonly<Record<string, unknown>>) | undefined;
  /** Takes out of an event what must not appear in a patch. */
  readonly redact?: ((event: Fields) => Fields) | undefined;
}

export interface TransactionOptions {
  /** `next`: the changes make a new generation; pins of the old one keep its handlers. Default `same`. */
  readonly generation?: "same" | "next";
}
