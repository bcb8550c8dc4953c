import { headerText } from "@openclaw/foundation";
import type { Context } from "hono";

/** Header of a response with the parameters and tools of its request that were accepted and had no effect. */
const IGNORED_HEADER = "OpenClaw-Ignored";
/** Longest name of a tool type in the header, in characters. */
const LONGEST_TYPE = 64;

/**
 * Types of tools that are not ignored: a client that offers one expects its data or its products in the answer. Every
 * other tool is an offer that a model may decline, so the answer without it is an answer to the same request.
 */
const NEEDED_TOOLS: ReadonlySet<unknown> = new Set([
  "file_search",
  "code_interpreter",
  "image_generation",
  "mcp",
  "computer",
  "computer_use",
  "computer_use_preview",
]);

/** Parameters of an API that a request may have and that never change the meaning of its answer. */
export interface IgnoredParameters {
  /** Names, and fields of objects, for example `text.verbosity`. */
  readonly names: readonly string[];
  /** Values of lists that are ignored one by one, for example those of `include`. */
  readonly entries?: Readonly<Record<string, ReadonlySet<unknown>>>;
  /**
   * Returns true for a type of tool that is ignored; by default for each that a client of OpenAI does not need.
   * @param type - type of a tool; undefined when it has none
   */
  readonly isIgnoredTool?: (type: unknown) => boolean;
}

/** Body without what is ignored, and its names. */
export interface AcceptedBody {
  readonly body: Readonly<Record<string, unknown>>;
  readonly ignored: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Takes the parameters and tools out of a request that do not change the meaning of its answer. Null and default values
 * are not named: what they ask for is done.
 * @param body - body of a request
 * @param ignored - parameters of the API
 * @param isDefault - returns true for a value that the gateway fulfils
 */
export function withoutIgnored(
  body: Fields,
  { names, entries = {}, isIgnoredTool = isUnneededTool }: IgnoredParameters,
  isDefault: (name: string, value: unknown) => boolean,
): AcceptedBody {
  const rest: Record<string, unknown> = { ...body };
  const ignored: string[] = [];
  for (const name of names) {
    const [outer = "", inner] = name.split(".", 2);
    const value = rest[outer];
    if (inner === undefined) {
      if (!isGiven(value) || isDefault(name, value)) continue;
      ignored.push(name);
      delete rest[outer];
    } else if (isRecord(value) && isGiven(value[inner]) && !isDefault(name, value[inner])) {
      const { [inner]: _, ...others } = value;
      ignored.push(name);
      rest[outer] = others;
    }
  }
  for (const [name, values] of Object.entries(entries)) {
    const list = rest[name];
    if (!Array.isArray(list)) continue;
    ignored.push(...list.filter((entry) => values.has(entry)).map((entry) => `${name}.${entry}`));
    rest[name] = list.filter((entry) => !values.has(entry));
  }
  if (Array.isArray(rest.tools)) {
    const isIgnored = (tool: unknown) => isRecord(tool) && isIgnoredTool(tool.type);
    const types = rest.tools.filter(isIgnored).map(({ type }) => String(type));
    const shown = types.map((type) => `tools.${type.slice(0, LONGEST_TYPE)}`);
    ignored.push(...new Set(shown));
    rest.tools = rest.tools.filter((tool) => !isIgnored(tool));
  }
  return { body: rest, ignored: [...new Set(ignored)] };
}

/**
 * Names in the response what was ignored.
 * @param context - context of the request
 * @param ignored - names of parameters and tools
 */
export function nameIgnored(context: Context, ignored: readonly string[]): void {
  if (ignored.length > 0) context.header(IGNORED_HEADER, headerText(ignored.join(", ")));
}

function isUnneededTool(type: unknown): boolean {
  return typeof type === "string" && type !== "function" && !NEEDED_TOOLS.has(type);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
