import type { BundleEvent } from "./bundle-event.js";

/** Points by the names of the data-flow document, and the hooks of the catalog that they are (DHOOK-001). */
export const POINTS = {
  beforeInbound: "message_receiving",
  beforeOutbound: "message_sending",
  beforeToolCall: "before_tool_call",
  onSessionStart: "session_start",
  onSessionEnd: "session_end",
  transformResponse: "transform_response",
  transcribeAudio: "transcribe_audio",
} as const;

/** Name of a point that definitions name, or an event of bundles. */
export type PointName = ConfiguredPoint | BundleEvent;

/** Name of a point that definitions name. */
type ConfiguredPoint = keyof typeof POINTS;

/** The seven points, in the order of a message. */
export const POINT_NAMES = Object.keys(POINTS).filter(isPointName);

/** Points whose events a hook can stop; the others only observe. */
const GATES: ReadonlySet<PointName> = new Set([
  "beforeInbound",
  "beforeOutbound",
  "beforeToolCall",
  "transformResponse",
  "transcribeAudio",
  "PreToolUse",
]);

/**
 * Returns true when the failure of a hook stops the event (DHOOK-018).
 * @param point - point of the event
 * @param mode - mode of the hook; that of the point when absent
 */
export function failsClosed(point: PointName, mode: "open" | "closed" | undefined): boolean {
  if (!GATES.has(point)) return false;
  return mode === undefined ? isToolCall(point) : mode === "closed";
}

/**
 * Returns true for the moment before a tool call.
 * @param point - point of an event
 */
export function isToolCall(point: PointName): boolean {
  return point === "beforeToolCall" || point === "PreToolUse";
}

/**
 * Returns the point of a name, which may be the name of its hook in the catalog.
 * @param name - for example `beforeToolCall` or `before_tool_call`
 */
export function pointOf(name: string): ConfiguredPoint | undefined {
  return POINT_NAMES.find((point) => point === name || POINTS[point] === name);
}

function isPointName(name: string): name is ConfiguredPoint {
  return Object.hasOwn(POINTS, name);
}
