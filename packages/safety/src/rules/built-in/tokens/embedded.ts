import type { Range } from "../../../text/range.js";
import { type AnchoredDetector, anchored, anchoredMatcher, matchHere } from "../../detector.js";
import { BLOCKED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";
import { hex, mixed } from "./form.js";

const REASON = "Anyone who has it can use the service as its owner.";

/** Number of characters before the digits of an Airtable token that are checked: its prefix and one more. */
const BEFORE_HEX = 19;
const AIRTABLE = /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.$/;

/** Tokens that are recognised by a mark in the middle, or by the URL that they are part of. */
export const EMBEDDED_TOKEN_RULES: readonly LeakRule[] = [
  rule("authress_key", "Authress service key", {
    detector: around(
      ["\\.acc[_-]"],
      /(?<![A-Za-z0-9])(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}$/,
      /\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}/y,
    ),
    match: [`sc_${mixed(8)}.abcd.acc_${mixed(12)}.${mixed(30)}`],
    clean: [`sc_${mixed(8)}.abcd.acc_${mixed(12)}.${mixed(29)}`],
  }),
  rule("azure_client_secret", "Azure client secret", {
    detector: around(
      ["[0-9]Q~"],
      /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}$/,
      /\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/y,
    ),
    match: [`abC8Q~${mixed(31)}`],
    clean: [`abC8Q~${mixed(30)}`, `abXC8Q~${mixed(31)}`],
  }),
  rule("mailchimp_api_key", "Mailchimp API key", {
    detector: around(["-us[0-9]"], /(?<![A-Za-z0-9])[0-9a-f]{32}$/, /-us\d{1,2}(?![A-Za-z0-9])/y),
    match: [`${hex(32)}-us12`],
    clean: [`${hex(31)}-us12`, "region-us12"],
  }),
  rule("maxmind_license_key", "MaxMind license key", {
    detector: around(
      ["_mmk"],
      /(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/,
      /_mmk(?![A-Za-z0-9])/y,
    ),
    match: [`${mixed(6)}_${mixed(29)}_mmk`],
    clean: [`${mixed(6)}_${mixed(28)}_mmk`],
  }),
  rule("terraform_token", "HCP Terraform token", {
    detector: around(
      ["\\.atlasv1\\."],
      /(?<![A-Za-z0-9])[A-Za-z0-9]{14}$/,
      /\.atlasv1\.[A-Za-z0-9_=-]{60,}/y,
    ),
    match: [`${mixed(14)}.atlasv1.${mixed(60)}`],
    clean: [`${mixed(14)}.atlasv1.${mixed(59)}`],
  }),
  rule("slack_webhook", "Slack webhook", {
    detector: anchored(
      ["hooks\\.slack\\.com/"],
      /hooks\.slack\.com\/(?:services|workflows|triggers)\/T[A-Za-z0-9+/]{34,60}/y,
    ),
    match: [`https://hooks.slack.com/services/T0AB1CD2E/B0AB1CD2E/${mixed(24)}`],
    clean: [
      "https://hooks.slack.com/services/T0AB1CD2E",
      `https://example.com/services/T0AB1CD2E/B0AB1CD2E/${mixed(24)}`,
    ],
  }),
  rule("teams_webhook", "Microsoft Teams webhook", {
    detector: around(
      ["/webhookb2/"],
      /\.webhook\.office\.com$/,
      /\/webhookb2\/[A-Za-z0-9@-]{36,80}\/IncomingWebhook\/[A-Za-z0-9]{32}\/[A-Za-z0-9-]{36}/y,
    ),
    match: [
      `https://a.webhook.office.com/webhookb2/${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`,
    ],
    clean: [
      `https://a.webhook.office.com/webhookb2/${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/`,
    ],
  }),
  rule("airtable_token", "Airtable personal access token", {
    detector: {
      by: "run",
      kind: "hex",
      least: 64,
      match: (text, [start, end]) => {
        const from = Math.max(0, start - BEFORE_HEX);
        const before = AIRTABLE.exec(text.slice(from, start));
        return before === null ? undefined : [from + before.index, end];
      },
    },
    match: [`pat${mixed(14)}.${hex(64)}`],
    clean: [`pat${mixed(13)}.${hex(64)}`, `pat${mixed(14)}.${hex(63)}`],
  }),
];

interface TokenParts {
  readonly detector: LeakRule["detector"];
  readonly match: readonly string[];
  readonly clean: readonly string[];
}

function rule(id: string, title: string, { detector, match, clean }: TokenParts): LeakRule {
  return {
    kind: "leak",
    id,
    title,
    reason: REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector,
    examples: { match, clean },
  };
}

/** Maximum length of the part of a token before its mark. */
const REACH = 64;

/**
 * Returns a detector that finds a mark and the token around it; `before` ends and `here` begins at
 * the mark.
 */
function around(anchors: readonly string[], before: RegExp, here: RegExp): AnchoredDetector {
  const matchAfter = matchHere(here);
  const matcher = (text: string, at: number): Range | undefined => {
    const from = Math.max(0, at - REACH);
    const found = before.exec(text.slice(from, at));
    const range = found === null ? undefined : matchAfter(text, at);
    return found === null || range === undefined ? undefined : [from + found.index, range[1]];
  };
  return { ...anchoredMatcher(anchors, false, matcher), longWord: true };
}

function uuid(): string {
  return "01234567-89ab-4cde-8f01-23456789abcd";
}
