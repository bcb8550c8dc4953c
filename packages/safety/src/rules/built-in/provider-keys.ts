import { anchoredWord } from "../detector.js";
import { BLOCKED_LEAK } from "../leak-actions.js";
import type { LeakRule } from "../rule.js";
import { ALONE } from "./word-boundary.js";

const KEY_REASON = "Anyone with this key can act and spend as its owner.";
const filler = (length: number) => "Abc123Def456Ghi789".repeat(12).slice(0, length);
const hex = (length: number) => "0123456789abcdef".repeat(4).slice(0, length);

/**
 * Keys of model providers and clouds that block, each recognised by its prefix (SAFE-015,
 * SAFE-016).
 */
export const PROVIDER_KEY_RULES: readonly LeakRule[] = [
  {
    kind: "leak",
    id: "openai_api_key",
    title: "OpenAI API key",
    reason: KEY_REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(
      ["sk-"],
      new RegExp(
        `${ALONE}sk-(?:(?:(?:proj|svcacct|admin)-)?[A-Za-z0-9]{20}|(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40})[A-Za-z0-9_-]*`,
        "y",
      ),
    ),
    examples: {
      match: [`sk-${filler(20)}`, `key=sk-proj-${filler(48)}`],
      clean: [`sk-${filler(19)}`, `task-${filler(32)}`],
    },
  },
  {
    kind: "leak",
    id: "anthropic_api_key",
    title: "Anthropic API key",
    reason: KEY_REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["sk-"], /sk-ant-(?:api|admin)[A-Za-z0-9_-]{90,}/y),
    examples: { match: [`sk-ant-api${filler(93)}`], clean: [`sk-ant-api${filler(89)}`] },
  },
  {
    kind: "leak",
    id: "anthropic_oauth_token",
    title: "Anthropic OAuth token",
    reason: KEY_REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["sk-"], /sk-ant-oat\d{2}-[A-Za-z0-9_-]{50,}/y),
    examples: { match: [`sk-ant-oat01-${filler(60)}`], clean: [`sk-ant-oat01-${filler(49)}`] },
  },
  {
    kind: "leak",
    id: "openrouter_api_key",
    title: "OpenRouter API key",
    reason: KEY_REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["sk-"], /sk-or-v1-[0-9A-Fa-f]{40,}/y),
    examples: { match: [`sk-or-v1-${hex(64)}`], clean: [`sk-or-v1-${hex(39)}`] },
  },
  {
    kind: "leak",
    id: "groq_api_key",
    title: "Groq API key",
    reason: KEY_REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["gsk_"], /gsk_[A-Za-z0-9]{30,}/y),
    examples: { match: [`gsk_${filler(52)}`], clean: [`gsk_${filler(29)}`] },
  },
  {
    kind: "leak",
    id: "aws_access_key",
    title: "AWS access key id",
    reason: "It identifies an AWS account, and its secret is often stored nearby.",
    severity: "critical",
    label: "AWS_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["AKIA"], /AKIA[0-9A-Z]{16}/y),
    examples: { match: ["AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE"], clean: ["AKIAIOSFODNN7EXAMPL"] },
  },
  {
    kind: "leak",
    id: "google_api_key",
    title: "Google API key",
    reason: KEY_REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["AIza"], /AIza[0-9A-Za-z_-]{35}/y),
    examples: { match: [`AIza${filler(35)}`], clean: [`AIza${filler(34)}`] },
  },
  {
    kind: "leak",
    id: "nearai_session",
    title: "NEAR AI session token",
    reason: "It gives access to the session of the user it was issued to.",
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(["sess_"], new RegExp(`${ALONE}sess_[A-Za-z0-9]{32,}`, "y")),
    examples: {
      match: [`sess_${filler(32)}`],
      clean: [`sess_${filler(31)}`, `process_${filler(40)}`],
    },
  },
];
