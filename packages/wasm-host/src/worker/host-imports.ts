import type { GuestLogLevel, WorkerLimits } from "./messages.ts";

/** Context of the host functions of one call. */
export interface HostImportContext {
  /**
   * Calls a function of the host and waits for its answer.
   * @throws an object with the `payload` of the error
   */
  call(name: string, args: readonly unknown[]): unknown;
  log(level: GuestLogLevel, message: string): void;
  readonly limits: WorkerLimits;
}

/** Functions of the host that are answered outside the worker. */
const ANSWERED = [
  "workspaceRead",
  "workspaceWrite",
  "httpRequest",
  "toolInvoke",
  "secretExists",
  "emitMessage",
  "storeAttachmentData",
  "websocketSendText",
  "pairingUpsertRequest",
  "pairingIsAllowed",
  "pairingResolveIdentity",
  "pairingReadAllowFrom",
] as const;

/** Returns the functions of `near:agent/host` and `near:agent/channel-host`. */
export function hostImports(context: HostImportContext): Record<string, object> {
  const functions = {
    ...Object.fromEntries(
      ANSWERED.map((name) => [name, (...args: unknown[]) => context.call(name, args)]),
    ),
    log: (level: GuestLogLevel, message: string) => context.log(level, message),
    nowMillis: () => BigInt(Date.now()),
  };
  return { "near:agent/host": functions, "near:agent/channel-host": functions };
}
