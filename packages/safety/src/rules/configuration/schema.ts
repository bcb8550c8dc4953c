import { LONGEST_PATTERN } from "../../text/linear-pattern.js";
import { LEAST_OUTPUT_LENGTH } from "../../text/output-length.js";
import { SAFETY_ACTIONS, SAFETY_CONTEXTS } from "../action.js";
import { SEVERITIES } from "../severity.js";

const ACTIONS = {
  type: "object",
  "x-key": "context",
  description: "Action of the rule in this context; another context keeps its default.",
  propertyNames: { enum: SAFETY_CONTEXTS },
  additionalProperties: { enum: SAFETY_ACTIONS },
} as const;

const STRINGS = { type: "array", items: { type: "string" } } as const;

/** JSON Schema of the section `safety` of the configuration. */
export const safetyConfigSchema = {
  type: "object",
  description: "Checks of messages, tool parameters and tool output.",
  properties: {
    maxOutputLength: {
      type: "integer",
      minimum: LEAST_OUTPUT_LENGTH,
      default: 100_000,
      description:
        "Maximum number of UTF-8 bytes of a tool's output; also SAFETY_MAX_OUTPUT_LENGTH.",
    },
    overflow: {
      enum: ["head", "notice"],
      default: "head",
      description:
        "Part of a longer output that remains: its head and a notice, or the notice alone.",
    },
    maxInputLength: {
      type: "integer",
      minimum: 1,
      default: 100_000,
      description: "Maximum number of characters of a message.",
    },
    forbidden: {
      ...STRINGS,
      items: { type: "string", minLength: 1 },
      description:
        "Strings that neither messages nor tool parameters may contain, in any case, also behind invisible characters.",
    },
    binaries: {
      type: "object",
      description:
        "Limits shell commands to listed programs; any program may run without this key.",
      properties: {
        usual: {
          type: "boolean",
          default: true,
          description: "False leaves out the built-in list of common programs.",
        },
        allow: {
          type: "array",
          items: { type: "string", pattern: "^[^\\s/]+$" },
          description: "Names of additional programs, without a path and without arguments.",
        },
      },
      additionalProperties: false,
    },
    injectionCheck: {
      type: "boolean",
      default: true,
      description:
        "False hides injection findings of medium and low severity; also SAFETY_INJECTION_CHECK_ENABLED.",
    },
    injection: {
      enum: ["escape", "replace"],
      default: "escape",
      description:
        "Handling of an output with a confirmed injection marker: escape the marker, or replace the output.",
    },
    rules: {
      type: "object",
      "x-key": "rule",
      additionalProperties: {
        type: "object",
        properties: {
          enabled: { type: "boolean", default: true, description: "False switches the rule off." },
          severity: {
            enum: SEVERITIES,
            description: "Severity that replaces the default of the rule.",
          },
          actions: ACTIONS,
        },
        additionalProperties: false,
      },
    },
    added: {
      type: "array",
      description: "Additional rules.",
      items: {
        type: "object",
        properties: {
          id: {
            type: "string",
            pattern: "^[a-z][a-z0-9_]{0,63}$",
            description: "Name of the rule in findings and in safety.rules.",
          },
          title: {
            type: "string",
            minLength: 1,
            description: "Name of the finding, in a few words.",
          },
          reason: { type: "string", minLength: 1, description: "Reason why a match is dangerous." },
          severity: { enum: SEVERITIES, description: "Severity of a match." },
          kind: {
            enum: ["leak", "policy"],
            description: "leak: a secret. policy: dangerous content of parameters.",
          },
          pattern: {
            type: "string",
            minLength: 1,
            maxLength: LONGEST_PATTERN,
            description: "Regular expression in RE2 syntax, at most 1 KiB.",
          },
          ignoreCase: { type: "boolean", default: false, description: "True ignores case." },
          literals: {
            ...STRINGS,
            description:
              "Strings of which each match contains at least one; they speed up the search.",
          },
          actions: ACTIONS,
          examples: {
            type: "object",
            properties: {
              match: { ...STRINGS, description: "Examples that the rule must match." },
              clean: { ...STRINGS, description: "Examples that the rule must not match." },
            },
            required: ["match", "clean"],
            additionalProperties: false,
          },
        },
        required: ["id", "title", "reason", "severity", "kind", "pattern", "examples"],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;
