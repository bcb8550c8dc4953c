/** Entry of an access list, as it was written and as it is compared. */
export interface IngressEntry {
  readonly raw: string;
  /** `*` for everyone. */
  readonly key: string;
}

/** Rule for the room of a message. */
export interface IngressRoute {
  readonly id: string;
  readonly allowed?: boolean;
  readonly enabled?: boolean;
  readonly precedence?: number;
  readonly matchId?: string;
  readonly blockReason?: string;
  /** `replace`: only the senders of the rule are admitted. */
  readonly senderPolicy?: "inherit" | "replace" | "deny-when-empty";
  readonly senderAllowFrom?: readonly (string | number)[];
}

/** A message with its rules, spelled for comparison. */
export interface IngressRequest {
  readonly sender: ReadonlySet<string>;
  readonly conversation: { readonly kind: string; readonly id?: string };
  readonly dmPolicy: string;
  readonly groupPolicy: string;
  readonly allowFrom: readonly IngressEntry[];
  /** Senders whom the operator admitted. */
  readonly stored: readonly IngressEntry[];
  readonly groupAllowFrom: readonly IngressEntry[];
  readonly routes: readonly (IngressRoute & { readonly senders: readonly IngressEntry[] })[];
  readonly mayPair: boolean;
  readonly mentionFacts?:
    | {
        readonly canDetectMention: boolean;
        readonly wasMentioned: boolean;
        readonly hasAnyMention?: boolean;
      }
    | undefined;
  readonly policy?:
    | {
        readonly groupAllowFromFallbackToAllowFrom?: boolean;
        readonly mutableIdentifierMatching?: "disabled" | "enabled";
        readonly activation?: {
          readonly requireMention: boolean;
          readonly allowTextCommands?: boolean;
        };
      }
    | undefined;
  readonly command?:
    | {
        readonly useAccessGroups?: boolean;
        readonly allowTextCommands?: boolean;
        readonly hasControlCommand?: boolean;
        readonly modeWhenAccessGroupsOff?: "allow" | "deny" | "configured";
      }
    | undefined;
}

/** Decision about a message, with its parts. */
export interface ResolvedIngress {
  readonly ingress: {
    readonly admission: "dispatch" | "skip" | "drop" | "pairing-required";
    readonly decision: "allow" | "block" | "pairing";
    readonly decisiveGateId: string;
    readonly reasonCode: string;
  };
  readonly senderAccess: {
    readonly allowed: boolean;
    readonly decision: "allow" | "block" | "pairing";
    readonly reasonCode: string;
    readonly effectiveAllowFrom: string[];
    readonly effectiveGroupAllowFrom: string[];
    readonly providerMissingFallbackApplied: boolean;
  };
  readonly routeAccess: {
    readonly allowed: boolean;
    readonly reasonCode?: string;
    readonly reason?: string;
  };
  readonly commandAccess: {
    readonly requested: boolean;
    readonly authorized: boolean;
    readonly shouldBlockControlCommand: boolean;
    readonly reasonCode: string;
  };
  readonly activationAccess: {
    readonly ran: boolean;
    readonly allowed: boolean;
    readonly shouldSkip: boolean;
    readonly reasonCode: string;
    readonly effectiveWasMentioned?: boolean;
    readonly shouldBypassMention?: boolean;
  };
}

type SenderAccess = Pick<
  ResolvedIngress["senderAccess"],
  "allowed" | "decision" | "reasonCode" | "effectiveAllowFrom" | "effectiveGroupAllowFrom"
>;

/**
 * Decides about a message: by its room, its sender, the use of commands, then its mention.
 * @param request - message with its rules
 */
export function decideIngress(request: IngressRequest): ResolvedIngress {
  const isDirect = request.conversation.kind === "direct";
  const refusedRoute = request.routes
    .toSorted((a, b) => (a.precedence ?? 0) - (b.precedence ?? 0))
    .find(({ allowed, enabled }) => allowed === false || enabled === false);
  const sender = isDirect ? directAccess(request) : groupAccess(request);
  const commandAccess = commandOf(request, sender);
  const activationAccess = activationOf(request, commandAccess.authorized);
  const parts = {
    senderAccess: { ...sender, providerMissingFallbackApplied: false },
    routeAccess:
      refusedRoute === undefined
        ? { allowed: true }
        : {
            allowed: false,
            reasonCode: "route_blocked",
            reason: refusedRoute.blockReason ?? "route_blocked",
          },
    commandAccess,
    activationAccess,
  };
  const end = (
    admission: ResolvedIngress["ingress"]["admission"],
    decisiveGateId: string,
    reasonCode: string,
  ): ResolvedIngress => {
    const decision =
      admission === "pairing-required" ? "pairing" : admission === "drop" ? "block" : "allow";
    return { ingress: { admission, decision, decisiveGateId, reasonCode }, ...parts };
  };
  if (refusedRoute !== undefined) return end("drop", refusedRoute.id, "route_blocked");
  if (sender.decision === "pairing") {
    return request.mayPair
      ? end("pairing-required", "sender", sender.reasonCode)
      : end("drop", "sender", "event_pairing_not_allowed");
  }
  if (!sender.allowed) return end("drop", "sender", sender.reasonCode);
  if (commandAccess.shouldBlockControlCommand) {
    return end("drop", "command", "control_command_unauthorized");
  }
  if (activationAccess.shouldSkip) return end("skip", "activation", "activation_skipped");
  return end("dispatch", "activation", "activation_allowed");
}

function directAccess({ sender, dmPolicy, allowFrom, stored }: IngressRequest): SenderAccess {
  const listed = dmPolicy === "allowlist" ? allowFrom : [...allowFrom, ...stored];
  const effective = {
    effectiveAllowFrom: listed.map(({ raw }) => raw),
    effectiveGroupAllowFrom: [],
  };
  const access = (decision: "allow" | "block" | "pairing", reasonCode: string): SenderAccess => ({
    allowed: decision === "allow",
    decision,
    reasonCode,
    ...effective,
  });
  if (dmPolicy === "disabled" || dmPolicy === "off") return access("block", "dm_policy_disabled");
  // An open channel that names senders admits only these; the entry `*` admits everyone.
  if (dmPolicy === "open" && allowFrom.length === 0) return access("allow", "dm_policy_open");
  if (names(listed, sender)) return access("allow", "dm_policy_allowlisted");
  return dmPolicy === "pairing"
    ? access("pairing", "dm_policy_pairing_required")
    : access("block", "dm_policy_not_allowlisted");
}

function groupAccess(request: IngressRequest): SenderAccess {
  const { sender, groupPolicy, groupAllowFrom, allowFrom, policy, routes } = request;
  const replaced = routes.findLast(({ senderPolicy }) => senderPolicy === "replace");
  const usesDirect = policy?.groupAllowFromFallbackToAllowFrom !== false;
  const own = groupAllowFrom.length === 0 && usesDirect ? allowFrom : groupAllowFrom;
  const listed = replaced?.senders ?? own;
  const access = (decision: "allow" | "block", reasonCode: string): SenderAccess => ({
    ...{ allowed: decision === "allow", decision, reasonCode },
    effectiveAllowFrom: allowFrom.map(({ raw }) => raw),
    effectiveGroupAllowFrom: listed.map(({ raw }) => raw),
  });
  if (groupPolicy === "disabled" || groupPolicy === "off") {
    return access("block", "group_policy_disabled");
  }
  if (groupPolicy === "open" && replaced === undefined) return access("allow", "group_policy_open");
  if (names(listed, sender)) return access("allow", "group_policy_allowed");
  return listed.length === 0
    ? access("block", "group_policy_empty_allowlist")
    : access("block", "group_policy_not_allowlisted");
}

function commandOf(
  { command, sender, allowFrom, stored, conversation }: IngressRequest,
  access: SenderAccess,
): ResolvedIngress["commandAccess"] {
  const requested = command?.hasControlCommand === true;
  const isListed = names([...allowFrom, ...stored], sender);
  const isGroup = conversation.kind !== "direct";
  const mode = command?.modeWhenAccessGroupsOff ?? "allow";
  const isOpen = command?.useAccessGroups === false && mode === "allow";
  const authorized = isListed || isOpen || (!isGroup && access.allowed);
  const shouldBlockControlCommand =
    isGroup && requested && command?.allowTextCommands !== false && !authorized;
  return {
    requested,
    authorized,
    shouldBlockControlCommand,
    reasonCode: authorized ? "command_authorized" : "control_command_unauthorized",
  };
}

function activationOf(
  { mentionFacts, policy, command, conversation }: IngressRequest,
  isAuthorized: boolean,
): ResolvedIngress["activationAccess"] {
  const requiresMention = policy?.activation?.requireMention === true;
  const allowsCommands = policy?.activation?.allowTextCommands ?? command?.allowTextCommands;
  const bypass =
    conversation.kind !== "direct" &&
    requiresMention &&
    command?.hasControlCommand === true &&
    allowsCommands === true &&
    isAuthorized &&
    mentionFacts?.hasAnyMention !== true;
  const wasMentioned = mentionFacts?.wasMentioned === true || bypass;
  const shouldSkip = requiresMention && mentionFacts?.canDetectMention === true && !wasMentioned;
  return {
    ran: mentionFacts !== undefined,
    allowed: !shouldSkip,
    shouldSkip,
    reasonCode: shouldSkip ? "activation_skipped" : "activation_allowed",
    effectiveWasMentioned: wasMentioned,
    shouldBypassMention: bypass,
  };
}

function names(entries: readonly IngressEntry[], sender: ReadonlySet<string>): boolean {
  return entries.some(({ key }) => key === "*" || sender.has(key));
}
