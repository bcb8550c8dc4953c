import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import { type Static, Type } from "typebox";

/** Bounds of how long a question may wait, in milliseconds: a second and a week (APPR-013). */
export const TIMEOUT_MS = { least: 1_000, most: 604_800_000 } as const;

const timeout = Type.Optional(
  Type.Integer({ minimum: TIMEOUT_MS.least, maximum: TIMEOUT_MS.most }),
);

/** Schema of the configuration's `approvals`: how people are asked and who may answer. */
export const approvalsSchema = Type.Object(
  {
    timeouts: Type.Optional(
      Type.Object(
        { plugin: timeout, tool: timeout, exec: timeout },
        {
          additionalProperties: false,
          description:
            "How long questions wait, in milliseconds: 120,000 for plugin and tool, 1,800,000 for exec.",
        },
      ),
    ),
    timeoutAllow: Type.Optional(
      Type.Enum(["as-asked", "never"], {
        description: "Whether a plugin may have a call run that nobody answered; default as-asked.",
      }),
    ),
    headless: Type.Optional(
      Type.Enum(["deny", "wait"], {
        description: "What happens to a call where nobody can be asked; default deny.",
      }),
    ),
    approvers: Type.Optional(
      Type.Array(Type.String({ pattern: "^[^:]+:.+$" }), {
        description: "Senders who may answer beside owners, as channel:senderId.",
      }),
    ),
    allowSelf: Type.Optional(
      Type.Boolean({
        description: "Whether who asked for a call may allow it; default false.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** How people are asked, `approvals`. */
export type ApprovalsConfiguration = Static<typeof approvalsSchema>;

/** What the operator has settled beforehand. */
export interface ApprovalSettings extends ApprovalsConfiguration {
  /** `tools.approval.<name>`, by canonical tool name. */
  readonly needs?: Readonly<Record<string, ApprovalNeed>> | undefined;
  /** `--approve-tool`: tools whose need `unless-granted` is met for this process (APPR-046). */
  readonly approvedTools?: Iterable<string> | undefined;
  /**
   * Returns whether the workspace-writable sandbox is active. Where it is, the settings that cover `exec`
   * cover every command, which then runs in it. Absent: it is not.
   */
  isSandboxed?(): Promise<boolean>;
}
