/** Way in which a message can mean the bot without naming it. */
export type ImplicitMentionKind =
  | "reply_to_bot"
  | "quoted_bot"
  | "bot_thread_participant"
  | "native";

/** Mentions in a message, as its platform reports them. */
export interface MentionFacts {
  readonly canDetectMention: boolean;
  readonly wasMentioned: boolean;
  readonly hasAnyMention?: boolean;
  readonly implicitMentionKinds?: readonly ImplicitMentionKind[];
}

/** Rules for messages that do not mention the bot. */
export interface MentionPolicy {
  readonly isGroup: boolean;
  readonly requireMention: boolean;
  /** Kinds that count as a mention; all when absent. */
  readonly allowedImplicitMentionKinds?: readonly ImplicitMentionKind[];
  readonly allowTextCommands: boolean;
  readonly hasControlCommand: boolean;
  readonly commandAuthorized: boolean;
}

/** Decision about a message of a group. */
export interface MentionDecision {
  readonly effectiveWasMentioned: boolean;
  /** True for a message that is not meant for the bot. */
  readonly shouldSkip: boolean;
  readonly implicitMention: boolean;
  readonly matchedImplicitMentionKinds: ImplicitMentionKind[];
  /** True for a command that needs no mention. */
  readonly shouldBypassMention: boolean;
}

/**
 * Returns whether a message is meant for the bot: by a mention, by a reply to it, or as a command of an authorized
 * sender that mentions no one else.
 * @param given - facts and policy, together or apart
 * @deprecated Set `isMention` of a message; the host decides by `groupPolicy`.
 */
export function resolveInboundMentionDecision(
  given:
    | (MentionFacts & MentionPolicy)
    | { readonly facts: MentionFacts; readonly policy: MentionPolicy },
): MentionDecision {
  const { facts, policy } = "facts" in given ? given : { facts: given, policy: given };
  const {
    canDetectMention,
    wasMentioned,
    hasAnyMention = false,
    implicitMentionKinds = [],
  } = facts;
  const { requireMention, allowedImplicitMentionKinds: allowed } = policy;
  const matchedImplicitMentionKinds = [...new Set(implicitMentionKinds)].filter(
    (kind) => allowed === undefined || allowed.includes(kind),
  );
  const implicitMention = matchedImplicitMentionKinds.length > 0;
  const isCommand =
    policy.allowTextCommands && policy.hasControlCommand && policy.commandAuthorized;
  const shouldBypassMention =
    policy.isGroup && requireMention && !wasMentioned && !hasAnyMention && isCommand;
  const effectiveWasMentioned = wasMentioned || implicitMention || shouldBypassMention;
  return {
    effectiveWasMentioned,
    shouldSkip: requireMention && canDetectMention && !effectiveWasMentioned,
    implicitMention,
    matchedImplicitMentionKinds,
    shouldBypassMention,
  };
}

/**
 * Returns a kind of implicit mention as a list, empty when it does not apply.
 * @param applies - true when the message has it
 * @deprecated Set `isMention` of a message.
 */
export function implicitMentionKindWhen(
  kind: ImplicitMentionKind,
  applies: boolean,
): ImplicitMentionKind[] {
  return applies ? [kind] : [];
}
