import { startOfText } from "@openclaw/foundation";
import type { RunHookHandler, RunSpan, RunTrace } from "@openclaw/protocol";
import type { Terminal } from "../shell/terminal.js";

/** Widths in columns: of a line, of its bar, and of each of the two times before a step. */
const WIDTH = 100;
const BAR = 18;
const TIME = 9;
const TEXT = WIDTH - BAR - 2 * TIME - 2;

const MARKS = { ok: " ", error: "✗", refused: "⊘", open: "…" } as const;
const SILENT = new Set(["no-result", "not-run", "skipped-scope", "skipped-condition"]);

/**
 * Prints a run as a waterfall, at most 100 columns wide: when each step began, how long it took, a
 * description, and a bar of its place in the run.
 * @param terminal - terminal to print to
 * @param options - `everyHandler` also shows handlers that returned nothing
 */
export function printWaterfall(
  trace: RunTrace,
  { print, colors }: Pick<Terminal, "print" | "colors">,
  { everyHandler = false }: { everyHandler?: boolean } = {},
): void {
  const { spans } = trace;
  const begun = Math.min(...spans.map(({ at }) => at));
  const ended = Math.max(...spans.map(({ at, durationMs = 0 }) => at + durationMs));
  const whole = { begun, length: Math.max(ended - begun, 0.001) };
  print(colors.bold(`run ${trace.runId}: ${trace.state}`));
  print(`session ${trace.sessionKey}, agent ${trace.agentId}`);
  print(`message ${trace.messageId}`);
  print(`trace ${trace.traceId}, begun ${new Date(begun).toISOString()}`);
  print("");
  print(colors.dim(`${"start".padStart(TIME)}${"took".padStart(TIME)} step`));
  const depths = new Map<string, number>();
  for (const span of spans) {
    const depth = span.parentSpanId === undefined ? 0 : (depths.get(span.parentSpanId) ?? 0) + 1;
    depths.set(span.spanId, depth);
    const indent = "  ".repeat(depth);
    const text = fitted(`${indent}${label(span)}`, TEXT);
    const times = `${time(span.at - begun)}${span.durationMs === undefined ? "…".padStart(TIME) : time(span.durationMs)}`;
    const painted = span.status === "error" || span.status === "refused" ? colors.red(text) : text;
    print(`${times}${MARKS[span.status]}${painted} ${colors.dim(bar(span, whole))}`.trimEnd());
    for (const line of handlerLines(span, everyHandler)) {
      print(colors.dim(fitted(`${" ".repeat(2 * TIME + 1)}${indent}  ${line}`, WIDTH).trimEnd()));
    }
  }
  if (!trace.hasHooks) {
    print("");
    print("No hook results: they were not recorded for this run, or no plugin handled a hook.");
  }
}

function label({ kind, name, summary, handlers = [] }: RunSpan): string {
  switch (kind) {
    case "hook": {
      const silent = handlers.filter(({ outcome }) => SILENT.has(outcome)).length;
      const count = handlers.length === 1 ? "1 handler" : `${handlers.length} handlers`;
      const returned = silent === handlers.length ? "no result" : summary;
      const stage = handlers.some((handler) => handler.stage === "policy") ? " (policies)" : "";
      return `${name}${stage}: ${count}, ${returned}`;
    }
    case "step":
      return `${name}: ${summary}`;
    default:
      return `${kind} ${name}: ${summary}`;
  }
}

function handlerLines({ handlers = [] }: RunSpan, everyHandler: boolean): string[] {
  return handlers
    .filter(({ outcome }) => everyHandler || !SILENT.has(outcome))
    .flatMap((handler) => {
      const { pluginId, label: name, outcome, durationMs, attempts } = handler;
      const who = name === undefined ? pluginId : `${pluginId} (${name})`;
      const tries = attempts === undefined ? "" : `, ${attempts} attempts`;
      return [`· ${who} ${outcome} in ${shortTime(durationMs)}${tries}`, ...changeLines(handler)];
    });
}

function changeLines({ result = {}, patch = [] }: RunHookHandler): string[] {
  return [
    ...Object.entries(result).map(([field, value]) => `    ${field}: ${oneLine(value)}`),
    ...patch.map(({ op, path, value }) =>
      value === undefined ? `    ${op} ${path}` : `    ${op} ${path} ${oneLine(value)}`,
    ),
  ];
}

/** Returns the bar that shows a step's place in the run; a step without a duration gets one thin mark. */
function bar(
  { at, durationMs = 0 }: RunSpan,
  { begun, length }: { begun: number; length: number },
): string {
  const start = Math.min(BAR - 1, Math.floor(((at - begun) / length) * BAR));
  const width = Math.min(BAR - start, Math.round((durationMs / length) * BAR));
  return " ".repeat(start) + (width > 0 ? "█".repeat(width) : "▏");
}

function time(milliseconds: number): string {
  return shortTime(milliseconds).padStart(TIME);
}

function shortTime(milliseconds: number): string {
  if (milliseconds < 9.995) return `${milliseconds.toFixed(2)} ms`;
  if (milliseconds < 9999.5) return `${milliseconds.toFixed(0)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Replaces control characters, which must not reach the terminal, with spaces. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

function fitted(text: string, width: number): string {
  const line = oneLine(text);
  return line.length > width ? `${startOfText(line, width - 1)}…` : line.padEnd(width);
}
