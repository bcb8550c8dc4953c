/** Diagnostic event of a host. */
export interface DiagnosticEventPayload {
  readonly type: string;
  /** Time in milliseconds since the epoch. */
  readonly ts: number;
  /** Sequence number of the event in this process, from 1. */
  readonly seq: number;
  readonly [field: string]: unknown;
}

type Listener = (event: DiagnosticEventPayload) => void;

const listeners = new Set<Listener>();
let sequence = 0;
let warned = false;

/**
 * Listens to diagnostic events. The host itself emits none, which a warning states once; plugins receive the
 * events of other plugins.
 * @param listener - receiver of the events; an error that it throws is reported as a warning
 * @returns function that removes the listener
 * @deprecated Use the hooks `model_call_ended`, `llm_output`, `message_sent` and `agent_end`.
 */
export function onDiagnosticEvent(listener: Listener): () => void {
  warnOnce();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Emits a diagnostic event to the plugins that listen.
 * @param event - event without time and sequence number, which are added
 * @deprecated Use `api.logger`.
 */
export function emitDiagnosticEvent(event: { readonly type: string }): void {
  sequence += 1;
  const numbered: DiagnosticEventPayload = { ...event, ts: Date.now(), seq: sequence };
  for (const listener of [...listeners]) {
    try {
      listener(numbered);
    } catch (error) {
      process.emitWarning(`a listener to diagnostic events failed: ${String(error)}`, WARNING);
    }
  }
}

/**
 * Returns true when the configuration enables diagnostics.
 * @param config - host configuration
 * @deprecated Read `api.config` directly.
 */
export function isDiagnosticsEnabled(config?: Readonly<Record<string, unknown>>): boolean {
  const section = config?.diagnostics;
  return (
    typeof section === "object" &&
    section !== null &&
    "enabled" in section &&
    section.enabled === true
  );
}

const WARNING = { type: "OpenClawCompatibility", code: "OPENCLAW_DIAGNOSTIC_EVENTS" };

function warnOnce(): void {
  if (warned) return;
  warned = true;
  process.emitWarning(
    "a plugin listens to diagnostic events with onDiagnosticEvent, but this host emits none; " +
      "use the hooks model_call_ended, llm_output, message_sent and agent_end instead",
    WARNING,
  );
}
