/**
 * Form of a service's secrets that have no prefix and are recognised by the name they are assigned
 * to.
 */
export interface ServiceSecret {
  /** Words without separators, in lower case; the name contains one of them. */
  readonly names: readonly string[];
  /** Source of a regular expression for the complete value, case-insensitive. */
  readonly form: string;
  /** Value that matches. */
  readonly sample: string;
}

const HEX = "0123456789abcdef".repeat(8);
const MIXED = "a1b2c3d4e5f6g7h8i9".repeat(8);
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const UUID_SAMPLE = "01234567-89ab-4cde-8f01-23456789abcd";

function hex(length: number, ...names: string[]): ServiceSecret {
  return { names, form: `[0-9a-f]{${length}}`, sample: HEX.slice(0, length) };
}

function letters(length: number, ...names: string[]): ServiceSecret {
  return { names, form: `[a-z0-9]{${length}}`, sample: MIXED.slice(0, length) };
}

function word(least: number, most: number, ...names: string[]): ServiceSecret {
  return { names, form: `[a-z0-9_=-]{${least},${most}}`, sample: MIXED.slice(0, least) };
}

function uuid(...names: string[]): ServiceSecret {
  return { names, form: UUID, sample: UUID_SAMPLE };
}

/** Secrets without a prefix, by service. */
export const SERVICE_SECRETS: readonly ServiceSecret[] = [
  letters(15, "dropbox"),
  letters(16, "confluent", "linkedin"),
  letters(17, "airtable"),
  letters(20, "finicity", "finnhub", "looker"),
  letters(22, "travis"),
  letters(24, "etsy", "looker", "plaid", "atlassian", "confluence", "jira"),
  letters(25, "messagebird", "twitter"),
  letters(26, "mattermost"),
  letters(30, "alibaba", "plaid", "twitch"),
  letters(32, "algolia", "asana", "bitbucket", "bittrex", "codecov", "droneci", "flickr"),
  letters(32, "privateai"),
  letters(40, "cohere", "datadog", "zendesk"),
  letters(45, "twitter"),
  letters(50, "twitter"),
  letters(64, "confluent", "freshbooks", "jfrog", "artifactory", "bintray", "xray"),
  letters(64, "newrelic", "sumo"),
  letters(73, "jfrog", "artifactory", "bintray", "xray"),
  word(32, 32, "adafruit", "discord", "fastly", "nytimes", "newyorktimes"),
  word(40, 40, "cloudflare", "gitter", "launchdarkly", "sonar"),
  word(40, 46, "netlify"),
  word(43, 43, "contentful"),
  word(50, 50, "rapidapi"),
  word(60, 60, "intercom"),
  word(64, 64, "coinbase", "bitbucket"),
  hex(24, "kucoin"),
  hex(32, "facebook", "linear", "finicity"),
  hex(37, "cloudflare"),
  hex(40, "meraki", "sendbird"),
  hex(64, "discord", "sentry"),
  uuid("heroku", "hubspot", "kucoin", "snyk", "squarespace"),
  { names: ["beamer"], form: "b_[a-z0-9=_-]{44}", sample: `b_${MIXED.slice(0, 44)}` },
  {
    names: ["definednetworking", "dnkey"],
    form: "dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}",
    sample: `dnkey-${MIXED.slice(0, 26)}-${MIXED.slice(0, 52)}`,
  },
  {
    names: ["dropbox"],
    form: "sl\\.[a-z0-9=_-]{130,}|[a-z0-9]{11}a{10}[a-z0-9=_-]{43}",
    sample: `sl.${MIXED.slice(0, 135)}`,
  },
  {
    names: ["facebook"],
    form: "\\d{15,16}(?:\\||%7c)[a-z0-9_-]{27,40}",
    sample: `123456789012345%7c${MIXED.slice(0, 27)}`,
  },
  { names: ["freemius", "secretkey"], form: "sk_\\S{29}", sample: `sk_${MIXED.slice(0, 29)}` },
  { names: ["gocardless"], form: "live_[a-z0-9=_-]{40}", sample: `live_${MIXED.slice(0, 40)}` },
  { names: ["kraken"], form: "[a-z0-9/=_+-]{80,90}", sample: MIXED.slice(0, 80) },
  {
    names: ["lob"],
    form: "(?:live|test)_(?:pub_)?[0-9a-f]{31,35}",
    sample: `live_${HEX.slice(0, 35)}`,
  },
  {
    names: ["mailgun"],
    form: "[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}",
    sample: `${HEX.slice(0, 32)}-${HEX.slice(0, 8)}-${HEX.slice(0, 8)}`,
  },
  { names: ["okta"], form: "00[a-z0-9_=-]{40}", sample: `00${MIXED.slice(0, 40)}` },
  {
    names: ["plaid"],
    form: `access-(?:sandbox|development|production)-${UUID}`,
    sample: `access-sandbox-${UUID_SAMPLE}`,
  },
  { names: ["contribsys"], form: "[0-9a-f]{8}:[0-9a-f]{8}", sample: "01234567:89abcdef" },
  {
    names: ["telegram"],
    form: "\\d{5,16}:a[a-z0-9_-]{34}",
    sample: `12345:A${MIXED.slice(0, 34)}`,
  },
  {
    names: ["twitter"],
    form: "\\d{15,25}-[a-z0-9]{20,40}|a{22}[a-z0-9%]{80,100}",
    sample: `123456789012345-${MIXED.slice(0, 20)}`,
  },
  { names: ["vault"], form: "s\\.[a-z0-9]{24}", sample: `s.${MIXED.slice(0, 24)}` },
  {
    names: ["yandex"],
    form: "t1\\.[a-z0-9_-]+={0,2}\\.[a-z0-9_-]{86}={0,2}|yc[a-z0-9_-]{38}",
    sample: `YC${MIXED.slice(0, 38)}`,
  },
];
