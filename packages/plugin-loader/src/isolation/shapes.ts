/** Kind of a function that a plugin registers, which decides what crosses when it is called. */
export type FunctionShape = "hook" | "tool" | "preview" | "plain" | "route" | "service";

/** Place of a function in the arguments of a method, and its kind. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, FunctionShape>>>> = {
  on: { "1": "hook" },
  registerHook: { "1": "hook" },
  "lifecycle.on": { "1": "hook" },
  registerTool: { "0.execute": "tool", "0.approval": "plain", "0.preview": "preview" },
  registerCommand: { "0.handler": "plain", "0.complete": "plain" },
  registerHttpRoute: { "0.fetch": "route" },
  registerPanel: {},
  registerService: { "0.start": "service", "0.stop": "service" },
};

/** Methods of the `api` with which an isolated plugin registers. */
export const REGISTERING_MEMBERS: readonly string[] = Object.keys(SHAPES);

/**
 * Returns the kind of a function in a registration.
 * @param member - method of the `api`
 * @param path - place in its arguments, for example `0.execute`
 * @returns undefined for a function that cannot be called from another thread or process
 */
export function shapeOf(member: string, path: string): FunctionShape | undefined {
  const shapes = Object.hasOwn(SHAPES, member) ? SHAPES[member] : undefined;
  return shapes !== undefined && Object.hasOwn(shapes, path) ? shapes[path] : undefined;
}

/** Members of the `api` that a plugin uses through the host; `logger` waits for no answer. */
export const USED_MEMBERS: readonly string[] = [
  ...["get", "set", "delete", "list", "compareAndSet"].map((name) => `store.kv.${name}`),
  ...["get", "set", "delete"].map((name) => `store.secrets.${name}`),
  ...["debug", "info", "warn", "error"].map((name) => `logger.${name}`),
  "runtime.fetch",
  "gatewayEvents.emit",
  "diagnose",
];
