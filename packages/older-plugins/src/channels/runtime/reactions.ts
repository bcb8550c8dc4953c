/** Facts by which a plugin decides to acknowledge a message with a reaction. */
interface AckFacts {
  /** `all`, `direct`, `group-all`, `group-mentions` or `off`. */
  readonly scope?: string;
  readonly isDirect: boolean;
  readonly isGroup: boolean;
  readonly isMentionableGroup: boolean;
  readonly requireMention: boolean;
  readonly canDetectMention: boolean;
  readonly effectiveWasMentioned: boolean;
  readonly shouldBypassMention?: boolean;
}

/**
 * Returns true when a message is acknowledged with a reaction.
 * @param facts - configured scope, and the conversation
 */
export function shouldAckReaction(facts: AckFacts): boolean {
  switch (facts.scope ?? "group-mentions") {
    case "all":
      return true;
    case "direct":
      return facts.isDirect;
    case "group-all":
      return facts.isGroup;
    case "group-mentions":
      return (
        facts.isMentionableGroup &&
        facts.requireMention &&
        facts.canDetectMention &&
        (facts.effectiveWasMentioned || facts.shouldBypassMention === true)
      );
    default:
      return false;
  }
}

/**
 * Removes the reaction to a message after the reply, where the configuration asks for it.
 * @param work - the reaction, and the function that removes it
 */
export function removeAckReactionAfterReply(work: {
  readonly removeAfterReply: boolean;
  readonly ackReactionPromise: Promise<boolean> | null;
  readonly ackReactionValue: string | null;
  readonly remove: () => Promise<void>;
  readonly onError?: (error: unknown) => void;
}): void {
  const { removeAfterReply, ackReactionPromise, ackReactionValue } = work;
  if (!removeAfterReply || ackReactionPromise === null || !ackReactionValue) return;
  ackReactionPromise
    .then((wasShown) => (wasShown ? work.remove() : undefined))
    .catch((error: unknown) => work.onError?.(error));
}
