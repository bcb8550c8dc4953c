/** Something that happened, for those who watch over a host. */
export interface DiagnosticEventPayload {
  readonly type: string;
  /** When, in milliseconds since 1970. */
  readonly ts: number;
  /** Counts the events of this process from 1. */
  readonly seq: number;
  readonly [field: string]: unknown;
}

type Listener = (event: DiagnosticEventPayload) => void;

const listeners = new Set<Listener>();
let sequence = 0;
let warned = false;

/**
 * Listens to diagnostic events. This host emits none of its own, which a warning says once; plugins get
 * what other plugins emit.
 * @param listener - what it throws is not passed on
 * @returns ends the listening
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
 * @param event - time and number are added
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
 * Whether the configuration asks for diagnostics.
 * @param config - the host's configuration
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
    "a plugin listens to diagnostic events with onDiagnosticEvent, and this host emits none; " +
      "the hooks model_call_ended, llm_output, message_sent and agent_end tell the same",
    WARNING,
  );
}
