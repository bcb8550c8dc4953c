import { nearestName, withSuggestion } from "@openclaw/foundation";
import type { PolicyContext } from "../decision/context.js";
import { PolicyCasesError } from "../errors.js";
import { LAYER_NAMES } from "../layers/layer.js";
import type { PolicyTool } from "../matching/tool.js";
import type { PolicyCase } from "./case.js";

interface Field {
  /** Completes "expected …". */
  readonly expected: string;
  fits(value: unknown): boolean;
}

const TEXT: Field = { expected: "text", fits: (value) => typeof value === "string" };
const FLAG: Field = { expected: "true or false", fits: (value) => typeof value === "boolean" };
const NUMBER: Field = { expected: "a number", fits: (value) => typeof value === "number" };
const TEXTS: Field = {
  expected: "a list of texts",
  fits: (value) => Array.isArray(value) && value.every(TEXT.fits),
};
const OBJECT: Field = { expected: "an object", fits: isObject };
const TOOL: Field = {
  expected: "a tool name or an object",
  fits: (value) => TEXT.fits(value) || isObject(value),
};

function oneOf(values: readonly string[]): Field {
  return {
    expected: `one of ${values.join(", ")}`,
    fits: (value) => typeof value === "string" && values.includes(value),
  };
}

const CONTEXT_FIELDS = {
  agentId: TEXT,
  provider: TEXT,
  model: TEXT,
  profile: TEXT,
  channel: TEXT,
  accountId: TEXT,
  groupId: TEXT,
  senderId: TEXT,
  senderName: TEXT,
  senderIsOwner: FLAG,
  sandboxed: FLAG,
  subagentDepth: NUMBER,
  parentPolicy: TEXTS,
  runAllow: TEXTS,
  toolsAllow: TEXTS,
} satisfies Record<keyof PolicyContext, Field>;

const TOOL_FIELDS = {
  name: TEXT,
  pluginId: TEXT,
  origin: oneOf(["core", "plugin", "mcp", "wasm"]),
  optional: FLAG,
  aliases: TEXTS,
  ownerOnly: FLAG,
} satisfies Record<keyof PolicyTool, Field>;

const CASE_FIELDS = {
  name: TEXT,
  tool: TOOL,
  context: OBJECT,
  expect: oneOf(["allow", "deny"]),
  by: oneOf([...LAYER_NAMES, "owner", "run", "optional", "default"]),
} satisfies Record<keyof PolicyCase, Field>;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function faultsOf(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Field>>,
  required: readonly string[],
  at: string,
): string[] {
  const faults = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${at}.${name}: missing`);
  const known = new Map(Object.entries(fields));
  for (const [name, found] of Object.entries(value)) {
    const field = known.get(name);
    if (field === undefined) {
      const near = nearestName(name, known.keys());
      faults.push(withSuggestion(`${at}.${name}: unknown field`, near));
    } else if (!field.fits(found)) {
      faults.push(`${at}.${name}: expected ${field.expected}, got ${JSON.stringify(found)}`);
    }
  }
  return faults;
}

function caseFaults(value: unknown, at: string): readonly string[] {
  if (!isObject(value)) return [`${at}: expected an object, got ${JSON.stringify(value)}`];
  const faults = faultsOf(value, CASE_FIELDS, ["name", "tool", "expect"], at);
  const { tool, context } = value;
  if (isObject(tool)) faults.push(...faultsOf(tool, TOOL_FIELDS, ["name"], `${at}.tool`));
  if (isObject(context)) faults.push(...faultsOf(context, CONTEXT_FIELDS, [], `${at}.context`));
  return faults;
}

/**
 * Reads a file of cases: an object with a list `cases` (POL-033).
 * @param document - the parsed file
 * @throws PolicyCasesError with everything that is wrong
 */
export function parsePolicyCases(document: unknown): readonly PolicyCase[] {
  const cases = isObject(document) ? document.cases : undefined;
  if (!Array.isArray(cases)) throw new PolicyCasesError(['expected a list under "cases"']);
  const faults: string[] = [];
  const isCase = (value: unknown, index: number): value is PolicyCase => {
    const found = caseFaults(value, `cases[${index}]`);
    faults.push(...found);
    return found.length === 0;
  };
  const read = cases.filter(isCase);
  if (faults.length > 0) throw new PolicyCasesError(faults);
  return read;
}
