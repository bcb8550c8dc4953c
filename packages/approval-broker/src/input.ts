import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { InputSchema, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Approval } from "@openclaw/store/decisions";
import { Check, Errors } from "typebox/value";
import { ApprovalInputError } from "./errors.js";
import { filledForm } from "./form.js";

/**
 * Returns the values with which a request for input is answered: those of the person, with the defaults of its fields.
 * @param approval - approval request
 * @param answer - decision, with the values of the person
 * @returns undefined for a decision without input; an error when the values do not fit
 */
export function inputOf(
  { code, input }: Pick<Approval, "code" | "input">,
  {
    decision,
    input: given,
  }: { readonly decision: ApprovalDecision; readonly input?: JsonObject | undefined },
): JsonObject | ApprovalInputError | undefined {
  if (input === undefined) {
    return given === undefined
      ? undefined
      : new ApprovalInputError(code, "it asks for a decision, not for input");
  }
  if (decision === "deny") return undefined;
  const content = fittingInput(input.schema, given ?? {});
  return typeof content === "string" ? new ApprovalInputError(code, content) : content;
}

/**
 * Returns the values of a person with the defaults of the fields.
 * @param schema - schema of the input request
 * @param given - values of the person
 * @returns a sentence about the problem of values that do not fit
 */
export function fittingInput(schema: InputSchema, given: JsonObject): JsonObject | string {
  const content = filledForm(schema, given);
  try {
    if (Check(schema, content)) return content;
    const [issue] = Errors(schema, content);
    const field = issue?.instancePath.slice(1) || "the input";
    return `${field} ${issue?.message ?? "does not fit"}`;
  } catch {
    return "its schema cannot be used";
  }
}
