import type { Range } from "../../text/range.js";
import { anchoredMatcher, anchoredWord, matchHere } from "../detector.js";
import { BLOCKED_LEAK } from "../leak-actions.js";
import type { LeakRule } from "../rule.js";
import { ALONE } from "./word-boundary.js";

const TOKEN_REASON = "Anyone with this token can use the service as its owner.";
const LEAST_BOT_DIGITS = 8;
const MOST_BOT_DIGITS = 12;
const filler = (length: number) => "Abc123Def456Ghi789".repeat(12).slice(0, length);
const hex = (length: number) => "0123456789abcdef".repeat(4).slice(0, length);

/** Tokens of services that block, each recognised by its prefix (SAFE-016). */
export const SERVICE_TOKEN_RULES: readonly LeakRule[] = [
  {
    kind: "leak",
    id: "github_token",
    title: "GitHub token",
    reason: TOKEN_REASON,
    severity: "critical",
    label: "GITHUB_TOKEN",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["gh[pousr]_"], /gh[pousr]_[A-Za-z0-9_]{16,}/y),
    examples: { match: [`ghp_${filler(36)}`, `ghs_${filler(16)}`], clean: [`ghp_${filler(15)}`] },
  },
  {
    kind: "leak",
    id: "github_fine_grained_pat",
    title: "GitHub fine-grained personal access token",
    reason: TOKEN_REASON,
    severity: "critical",
    label: "GITHUB_TOKEN",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["github_pat_"], /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/y),
    examples: {
      match: [`github_pat_${filler(22)}_${filler(59)}`],
      clean: [`github_pat_${filler(22)}_${filler(58)}`],
    },
  },
  {
    kind: "leak",
    id: "stripe_api_key",
    title: "Stripe secret key",
    reason: "It can move money.",
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["sk_live_", "sk_test_"], /sk_(?:live|test)_[A-Za-z0-9]{24,}/y),
    examples: {
      match: [`sk_test_${filler(24)}`],
      clean: [`sk_test_${filler(23)}`, `pk_live_${filler(24)}`],
    },
  },
  {
    kind: "leak",
    id: "slack_token",
    title: "Slack token",
    reason: TOKEN_REASON,
    severity: "critical",
    label: "SLACK_TOKEN",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["xox[abprs]-"], /xox[abprs]-[0-9A-Za-z-]{10,}/y),
    examples: { match: ["xoxb-1234567890-abcdef"], clean: ["xoxb-123456789", "xoxz-1234567890"] },
  },
  {
    kind: "leak",
    id: "twilio_api_key",
    title: "Twilio API key",
    reason: TOKEN_REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["SK[0-9A-Fa-f]"], new RegExp(`${ALONE}SK[0-9A-Fa-f]{32}`, "y")),
    examples: { match: [`SK${hex(32)}`], clean: [`SK${hex(31)}`, `TASK${hex(32)}`] },
  },
  {
    kind: "leak",
    id: "sendgrid_api_key",
    title: "SendGrid API key",
    reason: TOKEN_REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["SG\\."], /SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/y),
    examples: {
      match: [`SG.${filler(22)}.${filler(43)}`],
      clean: [`SG.${filler(22)}.${filler(42)}`],
    },
  },
  {
    kind: "leak",
    id: "telegram_bot_token",
    title: "Telegram bot token",
    reason: "It can read and write every chat of the bot.",
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredMatcher([":AA"], false, botToken),
    examples: {
      match: [`123456789:AA${filler(33)}`],
      clean: ["123:AAFoo", `1234567:AA${filler(33)}`, `123456789:AA${filler(29)}`],
    },
  },
];

const BEHIND_DIGITS = matchHere(/:AA[A-Za-z0-9_-]{30,}/y);

/** Matches a bot token; the anchor follows its digits, of which the last eight to twelve count. */
function botToken(text: string, at: number): Range | undefined {
  let start = at;
  while (at - start < MOST_BOT_DIGITS && isDigit(text.charCodeAt(start - 1))) start -= 1;
  const range = at - start < LEAST_BOT_DIGITS ? undefined : BEHIND_DIGITS(text, at);
  return range === undefined ? undefined : [start, range[1]];
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
