import { hostTool, isRecord } from "@openclaw/plugin-sdk/kit";
import type { BundleHookHandler, DeclaredHooks } from "@openclaw/plugin-sdk/services";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { BundleAction, HookDefinition } from "../definition/definition.js";
import type { ReadContext } from "../definition/read-context.js";
import { isBundleEvent } from "../points/bundle-event.js";
import { readMatcher } from "./matching.js";

/** Default deadlines in milliseconds, by type. */
const TIMEOUTS = {
  ...{ command: 60_000, http: 30_000, prompt: 30_000, agent: 60_000, mcp_tool: 60_000 },
} as const;
/** Longest deadline, in milliseconds: that of the host for any handler. */
const LONGEST_TIMEOUT_MS = 600_000;

/** Hooks of a bundle, with the reasons why others are left out. */
export interface BundleSource {
  readonly location: string;
  readonly cwd: string;
  readonly definitions: readonly HookDefinition[];
  readonly approved: true;
  readonly problems: readonly { readonly source: string; readonly message: string }[];
}

/**
 * Reads the handlers of a bundle as hooks (EXT-540). One that cannot be read is left out with its reason.
 * @param declared - handlers with the place of the bundle
 * @param context - compiler of patterns, network check
 */
export function readBundleHooks(
  { pluginId, rootDir, dataDir = rootDir, handlers = [] }: DeclaredHooks,
  context: Pick<ReadContext, "compile" | "checkUrl">,
): BundleSource {
  const location = `bundle ${pluginId}`;
  const problems: { readonly source: string; readonly message: string }[] = [];
  const definitions = handlers.flatMap((handler): readonly HookDefinition[] => {
    const name = `plugin/${pluginId}::${handler.name}`;
    const tell = (message: string) =>
      problems.push({ source: location, message: `hook "${name}": ${message}` });
    const action = readAction(handler, { rootDir, dataDir }, context, tell);
    if (action === undefined) return [];
    const { event, matcher } = handler;
    const written = { event, ...(matcher === undefined ? {} : { matcher }), ...handler.handler };
    const { timeout } = handler.handler;
    const seconds = typeof timeout === "number" && timeout > 0 ? timeout : undefined;
    const timeoutMs = seconds === undefined ? TIMEOUTS[action.call.type] : seconds * 1000;
    return [
      {
        ...{ name, points: [action.event], enabled: true, priority: 0, filter: undefined },
        ...{ action, mode: undefined, silent: false, written },
        timeoutMs: Math.min(Math.max(Math.round(timeoutMs), 1), LONGEST_TIMEOUT_MS),
      },
    ];
  });
  return { location, cwd: rootDir, definitions, approved: true, problems };
}

interface Folders {
  readonly rootDir: string;
  readonly dataDir: string;
}

function readAction(
  { event, matcher, handler }: BundleHookHandler,
  { rootDir, dataDir }: Folders,
  { compile, checkUrl }: Pick<ReadContext, "compile" | "checkUrl">,
  tell: (message: string) => void,
): BundleAction | undefined {
  if (!isBundleEvent(event)) {
    tell(`this host has no event ${event}`);
    return undefined;
  }
  const { matches, problem } = readMatcher(matcher, compile);
  if (problem !== undefined) tell(problem);
  const common = {
    ...{ type: "bundle" as const, event, matches, rootDir, dataDir },
    rule: typeof handler.if === "string" ? handler.if : undefined,
    once: handler.once === true,
    isAsync: handler.async === true || handler.asyncRewake === true,
  };
  const { type, command, args, url, headers, allowedEnvVars, prompt, model } = handler;
  if (type === "command" && typeof command === "string") {
    const words = Array.isArray(args) ? args.map(String) : undefined;
    return { ...common, call: { type, command, args: words } };
  }
  const { server, tool, input } = handler;
  if (type === "mcp_tool" && typeof server === "string" && typeof tool === "string") {
    const name = hostTool(`mcp__${server}__${tool}`);
    return { ...common, call: { type, tool: name, input: isJsonObject(input) ? input : {} } };
  }
  if ((type === "prompt" || type === "agent") && typeof prompt === "string") {
    return {
      ...common,
      call: { type, prompt, model: typeof model === "string" ? model : undefined },
    };
  }
  if (type !== "http" || typeof url !== "string") return undefined;
  try {
    const target = checkUrl(url);
    const names = new Set(Array.isArray(allowedEnvVars) ? allowedEnvVars.map(String) : []);
    const given = isRecord(headers) ? Object.entries(headers) : [];
    const filled = given.map(([name, value]) => [name, withVariables(String(value), names)]);
    return { ...common, call: { type, url: target, headers: Object.fromEntries(filled) } };
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
    // A guard that cannot be asked must not let calls pass.
    return { ...common, call: { type, url: undefined, headers: {} } };
  }
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isRecord(value);
}

/** A header receives only the variables that the handler lists. */
function withVariables(text: string, names: ReadonlySet<string>): string {
  return text.replaceAll(/\$\{?([A-Za-z_]\w*)\}?/g, (_found, name: string) =>
    names.has(name) ? (process.env[name] ?? "") : "",
  );
}
