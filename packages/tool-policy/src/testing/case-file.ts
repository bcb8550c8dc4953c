import { misfits, type ValueSchema } from "@openclaw/foundation";
import { fits } from "../configuration/shape.js";
import type { PolicyContext } from "../decision/context.js";
import { PolicyCasesError } from "../errors.js";
import { LAYER_NAMES } from "../layers/layer.js";
import { formatKeyPath } from "../layers/source.js";
import type { PolicyTool } from "../matching/tool.js";
import type { PolicyCase } from "./case.js";

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;
const TEXTS = { type: "array", items: TEXT } as const;

const CONTEXT = {
  type: "object",
  properties: {
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
    subagentDepth: { type: "number" },
    parentPolicy: TEXTS,
    runAllow: TEXTS,
    toolsAllow: TEXTS,
  } as const satisfies Record<keyof PolicyContext, ValueSchema>,
  additionalProperties: false,
} as const;

const TOOL = {
  type: "object",
  properties: {
    name: TEXT,
    pluginId: TEXT,
    origin: { type: "string", enum: ["core", "plugin", "mcp", "wasm"] },
    optional: FLAG,
    aliases: TEXTS,
    ownerOnly: FLAG,
  } as const satisfies Record<Exclude<keyof PolicyTool, "preinstalled">, ValueSchema>,
  required: ["name"],
  additionalProperties: false,
} as const;

const CASES = {
  type: "object",
  properties: {
    cases: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: TEXT,
          tool: { anyOf: [TEXT, TOOL] },
          context: CONTEXT,
          expect: { type: "string", enum: ["allow", "deny"] },
          by: { type: "string", enum: [...LAYER_NAMES, "owner", "run", "optional", "default"] },
        },
        required: ["name", "tool", "expect"],
        additionalProperties: false,
      },
    },
  },
  required: ["cases"],
} as const;

/**
 * Reads a file of cases: an object with a list `cases` (POL-033).
 * @param document - the parsed file
 * @throws PolicyCasesError with all problems
 */
export function parsePolicyCases(document: unknown): readonly PolicyCase[] {
  if (fits(document, CASES)) return document.cases;
  const faults = misfits(document, CASES).map(({ path, kind, message, suggestion }) => {
    const advice = kind === "unknown-key" && suggestion !== undefined ? `; ${suggestion}` : "";
    return `${formatKeyPath(path) || "the document"}: ${message}${advice}`;
  });
  throw new PolicyCasesError(faults);
}
