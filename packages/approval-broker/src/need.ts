import { defined } from "@openclaw/foundation";
import type { LiteralCommand } from "@openclaw/plugin-sdk/hooks";
import type { Store } from "@openclaw/store";
import type {
  ApprovalGrant,
  AuditEvent,
  GrantPrefix,
  NewAuditEntry,
} from "@openclaw/store/decisions";
import { type AuditedFacts, auditedCall, auditedReason } from "./audit.js";
import { ELEVATED_KEY, type GrantKey } from "./grant-key.js";
import { coveringKeys, isBoundBySandbox } from "./prefix/offer.js";
import type { ApprovalRequest } from "./request.js";

/** Name of the tool that runs shell commands. */
export const COMMAND_TOOL = "exec";
/** `--approve-tool exec=any`. */
const ANY_COMMAND = `${COMMAND_TOOL}=any`;

/** Approval given before the call. */
export interface EarlierApproval {
  readonly audit: NewAuditEntry;
  readonly authority: CallAuthority;
}

/**
 * Permission that lets a call run without an approval request, and for a call of `exec` how it runs
 * (APPR-038, APPR-046).
 */
export type CallAuthority =
  /** A trusted policy: the call runs as the policy returned it. */
  | { readonly by: "policy" }
  /** A setting, grant or elevated mode: the command runs as parsed. */
  | { readonly by: "advance"; readonly command?: LiteralCommand | undefined }
  /** A setting: the command runs in the workspace-writable sandbox, as parsed if `command` is set. */
  | { readonly by: "sandbox"; readonly command?: LiteralCommand | undefined }
  /** A trusted policy: the command runs in the read-only sandbox, as parsed if `command` is set. */
  | { readonly by: "contained"; readonly command?: LiteralCommand | undefined }
  /** A setting or mode that covers more than literal commands: the command runs as shown. */
  | { readonly by: "any-command" };

/** Settings of the operator that were made before the call. */
export interface EarlierSettings {
  /** Tools named with `--approve-tool`. */
  readonly approvedTools: ReadonlySet<string>;
  /**
   * True when the workspace-writable sandbox is active, so that settings cover every command in it.
   */
  readonly isSandboxed: boolean;
  /** True for a call that several people must allow. */
  readonly hasQuorum: boolean;
}

/**
 * Returns the approval given earlier that lets a call run without an approval request: a setting or
 * trusted policy that meets the need of the tool, or a grant. No earlier approval replaces the
 * approval that a safety rule or the need `always` requires; for a plugin's requirement only a
 * grant of that requirement does (D25, APPR-020, APPR-046).
 * @param request - approval request of the call
 * @param grant - key of the grants that cover the call
 * @param digest - digest of the call
 * @param settings - settings of the operator
 * @param store - store of the grants
 * @param command - for a call of `exec`, its literal command with resolved programs; approval given
 *   in advance covers nothing else
 * @param prefixes - for a call of `exec`, the prefixes that grants can cover
 * @returns the approval with its audit log entry; undefined when a person must be asked
 */
export async function findEarlierApproval(
  request: ApprovalRequest,
  grant: GrantKey,
  digest: string,
  { approvedTools, isSandboxed, hasQuorum }: EarlierSettings,
  store: Store,
  command: LiteralCommand | undefined,
  prefixes?: readonly GrantPrefix[] | undefined,
): Promise<EarlierApproval | undefined> {
  const {
    kind,
    need,
    cause,
    toolName,
    satisfiedBy,
    contained,
    severity,
    asksEachTime = false,
  } = request;
  const allowed = (
    event: AuditEvent,
    how: AuditedFacts,
    authority: CallAuthority = { by: "advance", command },
  ): EarlierApproval => ({
    audit: {
      ...auditedCall(request, digest),
      event,
      ...how,
      ...defined({ reason: how.reason && auditedReason(how.reason) }),
    },
    authority,
  });
  const isCovered = toolName !== COMMAND_TOOL || command !== undefined;
  const isForSandbox = isSandboxed && toolName === COMMAND_TOOL;
  if (need === "always") return undefined;
  const inSandbox = (setting: string) => {
    const reason = `${setting}, in the sandbox`;
    // A doubtful command runs as shown: in the sandbox, constructs that only a shell understands
    // are acceptable.
    const parsed = cause.kind === "doubt" ? undefined : command;
    return allowed("unattended", { reason }, { by: "sandbox", command: parsed });
  };
  if (severity === "critical") {
    // In the sandbox a command that conceals its effect can do no more than a script of the
    // workspace.
    const isDoubt = isForSandbox && cause.kind === "doubt";
    const setting = isDoubt ? settingFor(request, approvedTools) : undefined;
    return setting === undefined ? undefined : inSandbox(setting);
  }
  // A call that a policy allows runs as the policy returned it: with its command and in its
  // sandbox.
  if (satisfiedBy !== undefined && cause.kind === "tool" && !asksEachTime) {
    const { policy, reason } = satisfiedBy;
    return allowed("satisfied", { via: policy, reason }, { by: "policy" });
  }
  if (
    toolName === COMMAND_TOOL &&
    kind === "exec" &&
    cause.kind !== "plugin" &&
    !asksEachTime &&
    approvedTools.has(ANY_COMMAND)
  ) {
    const reason = `--approve-tool ${ANY_COMMAND}`;
    return allowed("unattended", { reason }, { by: "any-command" });
  }
  const setting = settingFor(request, approvedTools);
  // The sandbox bounds a command that the policy could not evaluate in full. A setting has its own sandbox.
  if (setting === undefined && isForSandbox && contained !== undefined && cause.kind === "tool") {
    const { policy, reason, command: bounded } = contained;
    const authority = { by: "contained", command: bounded } as const;
    return allowed("satisfied", { via: policy, reason }, authority);
  }
  // Commands that a rule or a grant covers run as it specifies; only the others go into the
  // sandbox.
  if (setting !== undefined && isCovered && !isForSandbox && cause.kind !== "doubt") {
    return allowed("unattended", { reason: setting });
  }
  if (cause.kind !== "plugin" && cause.kind !== "doubt" && !asksEachTime) {
    // Elevated mode comes from one person.
    const elevated = hasQuorum ? undefined : await useGrant(request, ELEVATED_KEY, store);
    if (elevated !== undefined) {
      const authority: CallAuthority = isCovered
        ? { by: "advance", command }
        : { by: "any-command" };
      return allowed("consumed", usedBy(request, elevated), authority);
    }
  }
  if (isCovered && request.allowedDecisions?.includes("allow-always") !== false) {
    for (const key of [grant.key, ...(grant.wider ?? [])]) {
      const granted = await useGrant(request, key, store);
      if (granted !== undefined) {
        return allowed("consumed", usedBy(request, granted));
      }
    }
    const [first] = await usePrefixGrants(request, prefixes, store);
    if (first !== undefined) {
      // The policy's command, in which the programs that only the tables cover keep their
      // restrictions.
      const run = { command: request.grantable?.command };
      const authority: CallAuthority =
        prefixes?.some(isBoundBySandbox) === true
          ? { by: "sandbox", ...run }
          : { by: "advance", ...run };
      return allowed("consumed", usedBy(request, first), authority);
    }
  }
  if (setting === undefined || !isForSandbox) return undefined;
  return inSandbox(setting);
}

/**
 * Returns the operator's setting that covers a tool; no setting covers a plugin's own requirement.
 */
function settingFor(
  { need, cause, toolName, asksEachTime = false }: ApprovalRequest,
  approvedTools: ReadonlySet<string>,
): string | undefined {
  if (asksEachTime) return undefined;
  const toolNeed = cause.kind === "doubt" ? cause.toolNeed : need;
  if (toolNeed === "never") return `tools.approval.${toolName}: never`;
  const isApproved = cause.kind !== "plugin" && approvedTools.has(toolName);
  return isApproved ? `--approve-tool ${toolName}` : undefined;
}

/** Returns who benefits from a grant and who gave it, for the audit log (APPR-281). */
function usedBy({ requester }: ApprovalRequest, { id, createdBy }: ApprovalGrant): AuditedFacts {
  const { channel, senderId } = requester;
  const actor = { channel, id: senderId };
  return { grantId: id, via: "grant", actor, reason: `granted by ${createdBy}` };
}

/**
 * Returns the grants that together cover every program of a command that needs one; empty when one
 * is missing.
 */
async function usePrefixGrants(
  { sessionKey, agentId, requester }: ApprovalRequest,
  prefixes: readonly GrantPrefix[] = [],
  store: Store,
): Promise<readonly ApprovalGrant[]> {
  const missing = new Error("a program is not granted");
  try {
    // Either all of them count as used, or none.
    return await store.transaction(async (unit) => {
      const used: ApprovalGrant[] = [];
      for (const prefix of prefixes) {
        let granted: ApprovalGrant | undefined;
        for (const key of coveringKeys(prefix)) {
          granted ??= await unit.decisions.grants.use({ key, sessionKey, agentId, requester });
        }
        if (granted === undefined) throw missing;
        used.push(granted);
      }
      return used;
    });
  } catch (error) {
    if (error === missing) return [];
    throw error;
  }
}

async function useGrant(
  { sessionKey, agentId, requester }: ApprovalRequest,
  key: string,
  store: Store,
): Promise<ApprovalGrant | undefined> {
  return await store.decisions.grants.use({ key, sessionKey, agentId, requester });
}
