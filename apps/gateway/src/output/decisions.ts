import { Type } from "typebox";
import { type CommandOutputs, document, lines, resultOf } from "./command-output.js";

const decided = document(resultOf("approvals.resolve"));
const policyTest = resultOf("policy.test").properties;

/** Outputs of the commands about policy and approvals. */
export const decisionOutputs: CommandOutputs = {
  "policy explain": document(resultOf("policy.explain")),
  "policy test": document(
    Type.Object({
      passed: policyTest.passed,
      updated: Type.Boolean({ description: "True when --update wrote expectations." }),
      cases: policyTest.cases,
    }),
  ),
  "policy what-if": document(resultOf("policy.whatIf")),
  "approvals list": document(
    Type.Object({ approvals: resultOf("approvals.list").properties.approvals }),
  ),
  "approvals show": document(resultOf("approvals.get")),
  "approvals history": document(
    Type.Object({ approvals: resultOf("approvals.history").properties.approvals }),
  ),
  "approvals approve": decided,
  "approvals deny": decided,
  "approvals grants": document(
    Type.Object({ grants: resultOf("approvals.grants").properties.grants }),
  ),
  "approvals revoke": document(resultOf("approvals.revoke")),
  "approvals audit": lines(
    Type.Union([
      resultOf("approvals.audit").properties.entries.items,
      // With --verify.
      resultOf("approvals.verify"),
    ]),
  ),
  "approvals check": document(
    Type.Object({
      command: Type.String(),
      agent: Type.String(),
      outcome: Type.Enum(["runs", "asks", "refused"]),
      reason: Type.String(),
      commands: Type.Array(Type.Object({})),
      safety: Type.String({ description: "Class of the command by the safety rules." }),
      reasons: Type.Array(Type.Unknown()),
    }),
  ),
};
