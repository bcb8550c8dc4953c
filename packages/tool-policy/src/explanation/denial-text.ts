import type { DecidedBy } from "../decision/decision.js";
import { printable } from "./printable.js";

function reason(decidedBy: DecidedBy): string {
  switch (decidedBy.kind) {
    case "layer":
      return `${decidedBy.layer}: ${printable(decidedBy.rule ?? "not in the allow list")}`;
    case "optional":
      return "optional: not enabled";
    case "cap":
      return decidedBy.cap === "owner" ? "owner: owners only" : "run: not in the run's tool list";
    case "default":
      return `default: ${decidedBy.default}`;
  }
}

/**
 * Returns the text for the model when a call is denied. It names the layer and the rule, and
 * neither files nor keys of the configuration: the sender may be anyone (POL-029).
 * @param denial - an explanation, or the tool's name with its decision
 */
export function denialText(denial: {
  readonly tool: string;
  readonly decidedBy: DecidedBy;
}): string {
  return `Tool ${printable(denial.tool)} is not allowed here (${reason(denial.decidedBy)})`;
}
