import { LEAST_OUTPUT_LENGTH } from "../../text/output-length.js";
import { SAFETY_ACTIONS, SAFETY_CONTEXTS } from "../action.js";
import { SEVERITIES } from "../severity.js";
import { LONGEST_PATTERN } from "./added-rule.js";

const ACTIONS = {
  type: "object",
  description: "Actions by context; what is left out keeps its default.",
  propertyNames: { enum: SAFETY_CONTEXTS },
  additionalProperties: { enum: SAFETY_ACTIONS },
} as const;

const TEXTS = { type: "array", items: { type: "string" } } as const;

/** JSON Schema of the section `safety` of the configuration. */
export const safetyConfigSchema = {
  type: "object",
  properties: {
    maxOutputLength: {
      type: "integer",
      minimum: LEAST_OUTPUT_LENGTH,
      default: 100_000,
      description: "Most UTF-8 bytes of a tool's output.",
    },
    overflow: {
      enum: ["head", "notice"],
      default: "head",
      description: "What is left of a longer output: its head and a notice, or the notice alone.",
    },
    injectionCheck: {
      type: "boolean",
      default: true,
      description: "False leaves out findings of medium and low severity about injection.",
    },
    injection: {
      enum: ["escape", "replace"],
      default: "escape",
      description: "What becomes of an output with a confirmed marker.",
    },
    rules: {
      type: "object",
      description: "Changes to built-in rules, by rule id.",
      additionalProperties: {
        type: "object",
        properties: {
          enabled: { type: "boolean" },
          severity: { enum: SEVERITIES },
          actions: ACTIONS,
        },
        additionalProperties: false,
      },
    },
    added: {
      type: "array",
      description: "Rules of the operator's own.",
      items: {
        type: "object",
        properties: {
          id: { type: "string", pattern: "^[a-z][a-z0-9_]{0,63}$" },
          title: { type: "string", minLength: 1 },
          reason: { type: "string", minLength: 1 },
          severity: { enum: SEVERITIES },
          kind: { enum: ["leak", "policy"] },
          pattern: {
            type: "string",
            minLength: 1,
            maxLength: LONGEST_PATTERN,
            description: "RE2 syntax, at most 1 KiB.",
          },
          ignoreCase: { type: "boolean" },
          literals: TEXTS,
          actions: ACTIONS,
          examples: {
            type: "object",
            properties: { match: TEXTS, clean: TEXTS },
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
