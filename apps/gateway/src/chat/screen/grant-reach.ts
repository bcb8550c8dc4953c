/** Scopes of a grant that a person can choose, from narrow to wide. */
export const SCOPES = ["session", "agent", "global"] as const;

export type ChosenScope = (typeof SCOPES)[number];

/** Reach of a grant, as the end of a sentence. */
export const REACH: Readonly<Record<ChosenScope, string>> = {
  session: "in this session",
  agent: "for this agent, in every session and from every sender",
  global: "for every agent",
};

/** Returns the scope that follows, from the widest to the narrowest again. */
export function nextScope(scope: ChosenScope): ChosenScope {
  return SCOPES[(SCOPES.indexOf(scope) + 1) % SCOPES.length] ?? "session";
}
