import { defined } from "@openclaw/foundation";
import type { ApprovalKind, ApprovalQuorum, ApprovalSeverity } from "@openclaw/store/decisions";
import { type Static, Type } from "typebox";

const matchSchema = Type.Object(
  {
    tool: Type.Optional(
      Type.String({ minLength: 1, description: "Name of the tool of the call." }),
    ),
    kind: Type.Optional(
      Type.Enum(["plugin", "exec", "tool"], {
        description: "Source of the request: a plugin, a command, or the need of a tool.",
      }),
    ),
    severity: Type.Optional(
      Type.Enum(["info", "warning", "critical"], { description: "Severity of the request." }),
    ),
    agentId: Type.Optional(
      Type.String({ minLength: 1, description: "Agent whose request it is." }),
    ),
  },
  {
    additionalProperties: false,
    description: "Requests that the rule is for; all of its values must be equal.",
  },
);

const quorumSchema = Type.Object(
  {
    count: Type.Integer({
      minimum: 2,
      maximum: 20,
      description: "Number of people that must allow the request.",
    }),
    distinct: Type.Optional(
      Type.Literal(true, { description: "Each person has one vote; it is always so." }),
    ),
    roles: Type.Optional(
      Type.Array(Type.Enum(["owner", "approver"]), {
        minItems: 1,
        description:
          "Roles whose votes to allow count: owners, and others who may decide; every role when absent.",
      }),
    ),
    notRequester: Type.Optional(
      Type.Boolean({
        default: false,
        description: "True if the person whose message caused the call cannot vote to allow it.",
      }),
    ),
  },
  { additionalProperties: false, description: "People that must allow a request." },
);

/** Schema of `approvals.rules`. */
export const approvalRulesSchema = Type.Array(
  Type.Object({ match: matchSchema, quorum: quorumSchema }, { additionalProperties: false }),
  {
    description:
      "Requests that need more than one person; the first rule that matches a request counts.",
  },
);

/** Section `approvals.rules` of the configuration. */
export type ApprovalRules = Static<typeof approvalRulesSchema>;

/** Values of a request that rules match. */
interface RuledRequest {
  readonly tool?: string | undefined;
  readonly kind: ApprovalKind;
  readonly severity: ApprovalSeverity;
  readonly agentId: string;
}

/**
 * Returns the people that must allow a request (APPR-030).
 * @param request - tool, kind, severity and agent of the request
 * @param rules - rules of the operator
 * @returns undefined when one person decides
 */
export function quorumOf(
  request: RuledRequest,
  rules: ApprovalRules | undefined,
): ApprovalQuorum | undefined {
  const found = rules?.find(
    ({ match }) =>
      (match.tool ?? request.tool) === request.tool &&
      (match.kind ?? request.kind) === request.kind &&
      (match.severity ?? request.severity) === request.severity &&
      (match.agentId ?? request.agentId) === request.agentId,
  );
  if (found === undefined) return undefined;
  const { count, roles, notRequester } = found.quorum;
  return defined({ count, roles, notRequester });
}
