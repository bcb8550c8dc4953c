import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import { type Static, Type } from "typebox";
import { approvalRulesSchema } from "./quorum/rule.js";

/**
 * Bounds of the timeout of an approval request in milliseconds: one second and one week (APPR-013).
 */
export const TIMEOUT_MS = { least: 1_000, most: 604_800_000 } as const;

const timeoutOf = (requests: string, milliseconds: number) =>
  Type.Optional(
    Type.Integer({
      minimum: TIMEOUT_MS.least,
      maximum: TIMEOUT_MS.most,
      default: milliseconds,
      description: `Milliseconds after which an approval request of ${requests} expires.`,
    }),
  );

const targetSchema = Type.Object(
  {
    channel: Type.String({ minLength: 1, description: "Name of the channel." }),
    to: Type.String({
      minLength: 1,
      description: "ID of the conversation or person on the channel.",
    }),
    accountId: Type.Optional(
      Type.String({ minLength: 1, default: "default", description: "Account of the channel." }),
    ),
    threadId: Type.Optional(Type.String({ minLength: 1, description: "Thread or topic." })),
  },
  { additionalProperties: false },
);

const deliveryOf = (requests: string) =>
  Type.Optional(
    Type.Object(
      {
        enabled: Type.Optional(
          Type.Boolean({
            default: true,
            description: `False sends approval requests of ${requests} to no conversation; connected clients see them.`,
          }),
        ),
        mode: Type.Optional(
          Type.Enum(["session", "targets", "both"], {
            description:
              "Conversations that get a request: that of the call, those in `targets`, or both. Default: both with targets, else session.",
          }),
        ),
        targets: Type.Optional(
          Type.Array(targetSchema, { description: "Further conversations that get a request." }),
        ),
        agentFilter: Type.Optional(
          Type.Array(Type.String({ minLength: 1 }), {
            description: "Agents whose requests these settings are for; every agent when empty.",
          }),
        ),
        sessionFilter: Type.Optional(
          Type.Array(Type.String({ minLength: 1 }), {
            description:
              "Keys of the sessions that these settings are for, with `*` for any characters; every session when empty.",
          }),
        ),
      },
      {
        additionalProperties: false,
        description: `Conversations that get the approval requests of ${requests}.`,
      },
    ),
  );

/** Schema of the section `approvals` of the configuration. */
export const approvalsSchema = Type.Object(
  {
    timeouts: Type.Optional(
      Type.Object(
        {
          plugin: timeoutOf("a plugin", 120_000),
          tool: timeoutOf("a tool", 1_800_000),
          exec: timeoutOf("a command", 1_800_000),
        },
        { additionalProperties: false },
      ),
    ),
    timeoutAllow: Type.Optional(
      Type.Enum(["as-asked", "never"], {
        default: "as-asked",
        description:
          "Effect of a plugin's request to allow a call on timeout: as-asked follows it, never denies the call.",
      }),
    ),
    headless: Type.Optional(
      Type.Enum(["deny", "wait"], {
        default: "deny",
        description: "Handling of a call that needs approval when no approver is reachable.",
      }),
    ),
    delivery: Type.Optional(
      Type.Object(
        {
          exec: deliveryOf("commands"),
          plugin: deliveryOf("plugins"),
          tool: deliveryOf("other tools"),
        },
        {
          additionalProperties: false,
          description: "Conversations that get approval requests, by kind of request.",
        },
      ),
    ),
    rules: Type.Optional(approvalRulesSchema),
    approvers: Type.Optional(
      Type.Array(Type.String({ pattern: "^[^:]+:.+$" }), {
        description: "Approvers in addition to owners, as channel:senderId.",
      }),
    ),
    allowSelf: Type.Optional(
      Type.Boolean({
        default: false,
        description: "True lets the requester of a call approve it.",
      }),
    ),
  },
  { additionalProperties: false, description: "Approval requests and approvers." },
);

/** Section `approvals` of the configuration: approval requests and approvers. */
export type ApprovalsConfiguration = Static<typeof approvalsSchema>;

/** Returns a function that returns a value now: a reload of the configuration changes it. */
export function settingsGetter<Value extends object>(given: Value | (() => Value)): () => Value {
  return isGetter(given) ? given : () => given;
}

function isGetter<Value extends object>(given: Value | (() => Value)): given is () => Value {
  return typeof given === "function";
}

/** Section `approvals.delivery`: conversations that get approval requests, by kind of request. */
export type ApprovalDelivery = NonNullable<ApprovalsConfiguration["delivery"]>;

/** Delivery of the approval requests of one kind. */
export type DeliveredApproval = NonNullable<ApprovalDelivery["exec"]>;

/** Place in a file of the configuration; line and column count from 1. */
export interface SettingPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Settings that the operator made in advance. */
export interface ApprovalSettings extends ApprovalsConfiguration {
  /** `tools.approval.<name>`, by canonical tool name. */
  readonly needs?: Readonly<Record<string, ApprovalNeed>> | undefined;
  /** Tools named with `--approve-tool`, whose need `unless-granted` is met for this process (APPR-046). */
  readonly approvedTools?: Iterable<string> | undefined;
  /**
   * Returns whether the workspace-writable sandbox is active. If it is, the settings that cover
   * `exec` cover every command, which then runs in the sandbox. Absent: it is not active.
   */
  isSandboxed?(): Promise<boolean>;
  /**
   * Returns the place of a value in the configuration; undefined when it does not contain it.
   * @param path - keys and indexes from the root
   */
  locate?(path: readonly (string | number)[]): SettingPlace | undefined;
  /** True when commands that a person allowed run in a sandbox too (`tools.exec.sandbox: "required"`). */
  readonly sandboxesAllowed?: boolean | undefined;
}
