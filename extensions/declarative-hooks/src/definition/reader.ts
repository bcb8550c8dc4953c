import { isRecord } from "@openclaw/plugin-sdk/kit";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { type FoundProblem, HookConfigurationError, mistakesOf } from "../errors.js";
import { POINT_NAMES, type PointName, pointOf } from "../points/point.js";
import { readAction, type Section } from "./action-reader.js";
import type { HookDefinition } from "./definition.js";
import { Fields, kindOf, nearest, type Place, Problems } from "./fields.js";
import type { HookFilter } from "./filter.js";
import { DEFAULT_PRIORITY, PRIORITY_NAMES, priorityOf } from "./priority.js";
import { type ReadContext, readPattern } from "./read-context.js";

/** Default deadline of an action, in milliseconds (DHOOK-009). */
const DEFAULT_TIMEOUT_MS = 5000;
/** Longest deadline of an action, in milliseconds (DHOOK-011). */
const LONGEST_TIMEOUT_MS = 30_000;
/** Maximum number of hooks of a source. */
const MOST_HOOKS = 500;

const SECTIONS: readonly Section[] = ["rules", "outbound_webhooks", "hooks"];
const SHARED = ["name", "points", "enabled", "priority", "filter", "timeoutMs"];
const MODES = ["mode", "failureMode", "silent"];

/** Fields of a definition by its section. */
const FIELDS: Readonly<Record<Section, readonly string[]>> = {
  rules: [
    ...[...SHARED, ...MODES, "when", "whenRegex", "reject", "rejectReason"],
    ...["replacements", "prepend", "append", "template"],
  ],
  outbound_webhooks: [
    ...[...SHARED, "url", "headers", "secret", "maxInFlight", "includeContent", "durable"],
  ],
  hooks: [...SHARED, ...MODES, "action"],
};

/** Hooks of a source, and what is wrong with others. */
export interface ReadHooks {
  /** In their order; one that is not valid has an action that fails. */
  readonly definitions: readonly HookDefinition[];
  /** Mistakes in definitions and in the source as a whole. */
  readonly problems: readonly FoundProblem[];
}

/**
 * Reads the hooks of a source that are all valid (DHOOK-014).
 * @param value - parsed JSON
 * @param source - first part of the names, for example `hooks/hooks.json`
 * @param context - compiler of patterns, network check, secrets
 * @throws HookConfigurationError with every mistake
 */
export function readHooks(
  value: unknown,
  source: string,
  context: ReadContext,
): readonly HookDefinition[] {
  const { definitions, problems } = readEachHook(value, source, context);
  if (problems.length > 0) throw new HookConfigurationError(source, problems);
  return definitions;
}

/**
 * Reads the hooks of a source: an object with `rules`, `outbound_webhooks` and `hooks`, or a list of rules and hooks. A
 * definition that is not valid does not affect the others (DHOOK-440).
 * @param value - parsed JSON
 * @param source - first part of the names, for example `config`
 * @param context - compiler of patterns, network check, secrets
 */
export function readEachHook(value: unknown, source: string, context: ReadContext): ReadHooks {
  const problems = new Problems();
  const entries = entriesOf(value, problems);
  if (entries.length > MOST_HOOKS) {
    const message = `has ${entries.length} hooks; at most ${MOST_HOOKS} are read`;
    problems.add("InvalidFormat", "", undefined, message);
  }
  const definitions = entries
    .slice(0, MOST_HOOKS)
    .flatMap((entry) => readDefinition(entry, source, context, problems) ?? []);
  return { definitions, problems: problems.found };
}

interface Entry {
  readonly section: Section;
  readonly path: string;
  readonly value: unknown;
}

function entriesOf(value: unknown, problems: Problems): readonly Entry[] {
  if (Array.isArray(value)) {
    return value.map((each, index) => ({
      section: isRecord(each) && "action" in each ? "hooks" : "rules",
      path: `[${index}]`,
      value: each,
    }));
  }
  if (!isRecord(value)) {
    const message = `expected an object with ${SECTIONS.join(", ")}, or a list of rules, got ${kindOf(value)}`;
    problems.add("InvalidFormat", "", undefined, message);
    return [];
  }
  const fields = new Fields(value, SECTIONS, { path: "", hook: undefined }, problems);
  return SECTIONS.flatMap((section) => {
    const list = fields.get(section);
    if (list === undefined) return [];
    if (!Array.isArray(list)) {
      const message = `expected a list, got ${kindOf(list)}`;
      problems.add("InvalidFormat", section, undefined, message);
      return [];
    }
    return list.map((each, index) => ({ section, path: `${section}[${index}]`, value: each }));
  });
}

function readDefinition(
  { section, path, value }: Entry,
  source: string,
  context: ReadContext,
  problems: Problems,
): HookDefinition | undefined {
  if (!isRecord(value)) {
    problems.add("InvalidFormat", path, undefined, `expected an object, got ${kindOf(value)}`);
    return undefined;
  }
  const earlier = problems.found.length;
  const hook = typeof value.name === "string" && value.name !== "" ? value.name : undefined;
  const place: Place = { path, hook };
  const fields = new Fields(value, FIELDS[section], place, problems);
  const isNamed = hook !== undefined && !/[\s:]|^-/.test(hook) && hook.length <= 100;
  if (!isNamed) {
    fields.report(
      "InvalidField",
      "name",
      "expected a name of 1 to 100 characters without spaces and colons",
    );
  }
  const points = readPoints(fields);
  const action = readAction(section, fields, place, context, problems, points);
  // A webhook has a time for each try instead.
  const timeoutMs = section === "outbound_webhooks" ? DEFAULT_TIMEOUT_MS : readTimeout(fields);
  const rest = {
    enabled: fields.flag("enabled", true),
    priority: readPriority(fields, section !== "hooks"),
    filter: readFilter(fields, place, context, problems),
    timeoutMs,
    mode: readMode(fields),
    silent: fields.flag("silent", false),
    written: withoutSecrets(value),
  };
  // A hook without a name or a point cannot be shown or stop an event; its mistakes are reported.
  if (!isNamed || points.length === 0) return undefined;
  const own = problems.found.slice(earlier);
  const name = `${source}::${hook}`;
  if (own.length === 0 && action !== undefined) return { ...rest, name, points, action };
  const decides = section !== "outbound_webhooks" && !isWebhook(value.action);
  return { ...rest, name, points, action: { type: "invalid", problem: mistakesOf(own), decides } };
}

function isWebhook(action: unknown): boolean {
  return isRecord(action) && action.type === "webhook";
}

function readPoints(fields: Fields): readonly PointName[] {
  const names = fields.texts("points") ?? [];
  if (names.includes("*")) return POINT_NAMES;
  if (names.length === 0) {
    const message = `name at least one point: ${POINT_NAMES.join(", ")}`;
    fields.report("MissingHookPoints", "points", message);
    return [];
  }
  const points = names.flatMap((name) => {
    const point = pointOf(name);
    if (point !== undefined) return point;
    const message = `"${name}" is not a point; expected ${POINT_NAMES.join(", ")}${nearest(name, POINT_NAMES)}`;
    fields.report("InvalidPoint", "points", message);
    return [];
  });
  return [...new Set(points)];
}

function readTimeout(fields: Fields): number {
  const value = fields.get("timeoutMs");
  if (value === undefined) return DEFAULT_TIMEOUT_MS;
  if (typeof value === "number" && value >= 1 && value <= LONGEST_TIMEOUT_MS) return value;
  const got = typeof value === "number" ? value : kindOf(value);
  fields.report(
    "InvalidTimeout",
    "timeoutMs",
    `expected 1 to ${LONGEST_TIMEOUT_MS} milliseconds, got ${got}`,
  );
  return DEFAULT_TIMEOUT_MS;
}

function readPriority(fields: Fields, isIronClaw: boolean): number {
  const value = fields.get("priority");
  if (value === undefined) return DEFAULT_PRIORITY;
  const priority = priorityOf(value, isIronClaw);
  if (priority !== undefined) return priority;
  const numbers = isIronClaw ? "0, 10, 50 or 90" : "an integer";
  const message = `expected ${PRIORITY_NAMES.join(", ")} or ${numbers}`;
  fields.report("InvalidField", "priority", message);
  return DEFAULT_PRIORITY;
}

function readMode(fields: Fields): "open" | "closed" | undefined {
  const name = fields.has("mode") ? "mode" : "failureMode";
  const value = fields.text(name);
  if (value === undefined) return undefined;
  const plain = value.toLowerCase().replace(/^fail[-_]?/, "");
  if (plain === "open" || plain === "closed") return plain;
  fields.report("InvalidField", name, `expected open or closed, got "${value}"`);
  return undefined;
}

function readFilter(
  fields: Fields,
  { path, hook }: Place,
  context: ReadContext,
  problems: Problems,
): HookFilter | undefined {
  const value = fields.get("filter");
  if (value === undefined) return undefined;
  if (!isRecord(value)) {
    fields.report("InvalidField", "filter", `expected an object, got ${kindOf(value)}`);
    return undefined;
  }
  const place = { path: `${path}.filter`, hook };
  const filter = new Fields(value, ["sender", "channel", "tool", "pattern"], place, problems);
  const pattern = filter.text("pattern");
  return {
    sender: filter.texts("sender"),
    channel: filter.texts("channel"),
    tool: filter.texts("tool"),
    pattern: pattern === undefined ? undefined : readPattern(pattern, "pattern", filter, context),
  };
}

const SECRET_FIELDS = new Set(["secret", "headers"]);

/** Copies a definition with its secrets replaced. */
function withoutSecrets(value: Readonly<Record<string, unknown>>): JsonObject {
  const text = JSON.stringify(value, (key, part: unknown) => {
    if (!SECRET_FIELDS.has(key)) return part;
    if (!isRecord(part)) return "[redacted]";
    return Object.fromEntries(Object.keys(part).map((name) => [name, "[redacted]"]));
  });
  return JSON.parse(text);
}
