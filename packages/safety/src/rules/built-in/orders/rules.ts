import { FLAGGED_INJECTION } from "../../injection-actions.js";
import type { InjectionRule } from "../../rule.js";
import { ordersOf } from "./finder.js";
import { ORDER_LANGUAGES } from "./languages.js";
import { ORDER_KINDS } from "./pattern.js";

/** Finds orders to a model in the languages of the table (SAFE-420). */
export const ORDER_RULE: InjectionRule = {
  kind: "injection",
  id: "model_order",
  title: "order to the model",
  reason:
    "It tells the reader to ignore its instructions, to be another assistant or to show its system prompt, in one of eight languages.",
  severity: "high",
  marker: "order to the model",
  sees: "shadow",
  actions: FLAGGED_INJECTION,
  detector: { by: "search", search: ordersOf },
  examples: {
    match: ORDER_LANGUAGES.flatMap(({ examples }) => ORDER_KINDS.map((kind) => examples[kind])),
    clean: ORDER_LANGUAGES.flatMap(({ clean }) => clean),
  },
};
