import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import {
  policyAnswer,
  policyCaseOutcome,
  policyComparison,
  type policyFlipSample,
  type policyFlips,
  policyOccasion,
} from "./policy-results.js";

const closed = { additionalProperties: false };
const text = { minLength: 1, maxLength: 400 };

const question = Type.Object(
  {
    tool: Type.String(text),
    sessionKey: Type.Optional(
      Type.String({
        ...text,
        description:
          "Stored session that agent, channel, sender and model are taken from; the other parameters override them.",
      }),
    ),
    agentId: Type.Optional(Type.String(text)),
    provider: Type.Optional(Type.String(text)),
    model: Type.Optional(Type.String(text)),
    channel: Type.Optional(Type.String(text)),
    groupId: Type.Optional(Type.String(text)),
    senderId: Type.Optional(Type.String(text)),
    senderIsOwner: Type.Optional(Type.Boolean()),
    sandboxed: Type.Optional(Type.Boolean()),
    subagentDepth: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: "0 for the agent itself." }),
    ),
  },
  closed,
);

const recorded = Type.Object(
  {
    decisionId: Type.String({
      ...text,
      description: "ID of a recorded decision, from a denied call or a trace.",
    }),
  },
  closed,
);

/** The policy methods. */
export const policyMethods = methodTable(
  defineMethod({
    name: "policy.explain",
    summary:
      "Explains why a tool is allowed or denied, now or in a recorded decision (POL-026, POL-030).",
    params: Type.Union([question, recorded]),
    result: Type.Object({
      ...policyAnswer.properties,
      occasion: Type.Optional(policyOccasion),
    }),
    errors: [
      "TOOL_NOT_FOUND",
      "SESSION_NOT_FOUND",
      "POLICY_DECISION_NOT_FOUND",
      "POLICY_DECISION_CHANGED",
    ],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "policy.matrix",
    summary: "Tells for every tool and agent whether policy allows it for the operator, and why.",
    params: Type.Object({}, closed),
    result: Type.Object({
      agents: Type.Array(Type.String()),
      tools: Type.Array(
        Type.Object({
          tool: Type.String(),
          pluginId: Type.Optional(Type.String()),
          cells: Type.Array(
            Type.Object({
              agentId: Type.String(),
              allowed: Type.Boolean(),
              decidedBy: policyAnswer.properties.decidedBy,
              approval: policyAnswer.properties.approval,
            }),
            { description: "In the order of the agents." },
          ),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "policy.test",
    summary: "Runs files of policy cases against the policy in use.",
    params: Type.Object(
      {
        files: Type.Array(
          Type.Object(
            {
              file: Type.String({ ...text, description: "Name of the file in results." }),
              document: Type.Unknown({ description: "The parsed file, `{cases: […]}`." }),
            },
            closed,
          ),
          { minItems: 1, maxItems: 1000 },
        ),
      },
      closed,
    ),
    result: Type.Object({ passed: Type.Boolean(), cases: Type.Array(policyCaseOutcome) }),
    errors: ["POLICY_CASES_INVALID"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "policy.whatIf",
    summary:
      "Compares the recorded decisions with those of another configuration, without executing anything (POL-034, POL-036). It works in parts, between which the gateway serves others, and ends when the caller disconnects.",
    params: Type.Object(
      {
        configuration: Type.Object(
          {
            file: Type.String({ ...text, description: "Name of the file in results." }),
            text: Type.String({ description: "Text of the configuration file." }),
          },
          closed,
        ),
        since: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              "Only calls since this time, in milliseconds since the epoch; default all recorded calls.",
          }),
        ),
        sessionKey: Type.Optional(Type.String(text)),
        agentId: Type.Optional(Type.String(text)),
        jobId: Type.Optional(
          Type.String({
            ...text,
            description:
              "ID chosen by the caller, under which the event `policy.progress` reports how far the comparison is.",
          }),
        ),
      },
      closed,
    ),
    result: policyComparison,
    errors: ["CONFIG_INVALID"],
    scope: "operator.admin",
    effect: "read",
  }),
);

/** Query to policy: a tool, and the circumstances of a call to it. */
export type PolicyQuestion = Immutable<Static<typeof question>>;

/** Explanation why a tool is allowed or denied (POL-026). */
export type PolicyAnswer = Immutable<Static<typeof policyAnswer>>;

/** Result of one case of a policy test. */
export type PolicyCaseOutcome = Immutable<Static<typeof policyCaseOutcome>>;

/** Recorded call that another policy would decide differently. */
export type PolicyFlipSample = Immutable<Static<typeof policyFlipSample>>;

/** Number of calls of a tool that would be decided differently. */
export type PolicyFlips = Immutable<Static<typeof policyFlips>>;

/** Decisions of another policy about the recorded calls (POL-034). */
export type PolicyComparison = Immutable<Static<typeof policyComparison>>;
