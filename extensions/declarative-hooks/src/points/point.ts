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

/** Name of a point. */
export type PointName = keyof typeof POINTS;

/** The seven points, in the order of a message. */
export const POINT_NAMES = Object.keys(POINTS).filter(isPointName);

/** Points whose events a hook can stop; the others only observe. */
const GATES: ReadonlySet<PointName> = new Set([
  "beforeInbound",
  "beforeOutbound",
  "beforeToolCall",
  "transformResponse",
  "transcribeAudio",
]);

/**
 * Returns true when the failure of a hook stops the event (DHOOK-018).
 * @param point - point of the event
 * @param mode - mode of the hook; that of the point when absent
 */
export function failsClosed(point: PointName, mode: "open" | "closed" | undefined): boolean {
  if (!GATES.has(point)) return false;
  return mode === undefined ? point === "beforeToolCall" : mode === "closed";
}

/**
 * Returns the point of a name, which may be the name of its hook in the catalog.
 * @param name - for example `beforeToolCall` or `before_tool_call`
 */
export function pointOf(name: string): PointName | undefined {
  return POINT_NAMES.find((point) => point === name || POINTS[point] === name);
}

function isPointName(name: string): name is PointName {
  return Object.hasOwn(POINTS, name);
}
