/** Decision on the only pending approval request of the conversation. */
export interface ApprovalResponse {
  readonly kind: "ApprovalResponse";
  readonly approved: boolean;
  readonly always: boolean;
}

/** Decision of a program on one approval request. */
export interface ExecApproval {
  readonly kind: "ExecApproval";
  /** UUID in lower case. */
  readonly requestId: string;
  readonly approved: boolean;
  readonly always: boolean;
}

const ONCE = response(true, false);
const ALWAYS = response(true, true);
const DENY = response(false, false);

/** Whole messages that decide the only pending approval request of a conversation (SUB-009). */
const BARE: ReadonlyMap<string, ApprovalResponse> = new Map([
  ...each(ONCE, ["y", "yes", "approve", "ok"]),
  ...each(ALWAYS, ["a", "always", "yes always", "approve always"]),
  ...each(DENY, ["n", "no", "deny", "reject", "cancel"]),
]);

const SLASHED: ReadonlyMap<string, ApprovalResponse> = new Map([
  ...each(ONCE, ["/approve", "/yes", "/y"]),
  ...each(ALWAYS, ["/always", "/a"]),
  ...each(DENY, ["/deny", "/no", "/n"]),
]);

/** Maximum length of an approval word. */
export const LONGEST_APPROVAL_WORD = 14;

/**
 * Reads a word that decides an approval request.
 * @param text - trimmed text in lower case, with single spaces
 * @param forms - `any` also accepts words without a slash
 */
export function readApprovalWord(
  text: string,
  forms: "any" | "slashed",
): ApprovalResponse | undefined {
  return SLASHED.get(text) ?? (forms === "any" ? BARE.get(text) : undefined);
}

function response(approved: boolean, always: boolean): ApprovalResponse {
  return Object.freeze({ kind: "ApprovalResponse", approved, always });
}

function each(
  decision: ApprovalResponse,
  words: readonly string[],
): (readonly [string, ApprovalResponse])[] {
  return words.map((word) => [word, decision] as const);
}
