import { isSection } from "@openclaw/messaging";

/**
 * Returns the expressions that mention the bot: `messages.groupChat.mentionPatterns`, those of the agent first, and the
 * name of the agent.
 * @param agentId - agent that answers
 */
export function buildMentionRegexes(cfg: unknown, agentId = "main"): RegExp[] {
  const section = isSection(cfg) ? cfg : {};
  const agent = within(section.agents, agentId);
  const name = within(agent, "identity")?.name ?? agent?.name;
  const patterns = [
    within(agent, "groupChat")?.mentionPatterns,
    within(within(section, "messages"), "groupChat")?.mentionPatterns,
  ].find(Array.isArray);
  const sources: readonly unknown[] = [
    ...(patterns ?? []),
    ...(typeof name === "string" && name !== "" ? [`\\b@?${escaped(name)}\\b`] : []),
  ];
  return sources.flatMap((source) => (typeof source === "string" ? expressionOf(source) : []));
}

/**
 * Returns true when a text mentions the bot.
 * @param text - text of a message
 * @param expressions - from {@link buildMentionRegexes}
 */
export function matchesMentionPatterns(text: string, expressions: readonly RegExp[]): boolean {
  return expressions.some((expression) => expression.test(text));
}

/**
 * Returns true when a message mentions the bot: by the platform's own mention, or by its text.
 * @param message - text, expressions, and what the platform says
 */
export function matchesMentionWithExplicit(message: {
  readonly text: string;
  readonly mentionRegexes: readonly RegExp[];
  readonly explicit?: {
    readonly hasAnyMention?: boolean;
    readonly isExplicitlyMentioned?: boolean;
    readonly canResolveExplicit?: boolean;
  };
}): boolean {
  const { text, mentionRegexes, explicit } = message;
  if (explicit?.isExplicitlyMentioned === true) return true;
  const isForOther = explicit?.canResolveExplicit === true && explicit.hasAnyMention === true;
  return !isForOther && matchesMentionPatterns(text, mentionRegexes);
}

/** The operator writes the patterns; a wrong one mentions no one. */
function expressionOf(source: string): RegExp[] {
  try {
    return [new RegExp(source, "i")];
  } catch {
    return [];
  }
}

function within(value: unknown, key: string): Readonly<Record<string, unknown>> | undefined {
  const found = isSection(value) ? value[key] : undefined;
  return isSection(found) ? found : undefined;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
