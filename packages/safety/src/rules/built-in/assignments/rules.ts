import { SECRET_WORDS } from "../../../leaks/secret-name.js";
import { anchoredMatcher } from "../../detector.js";
import { BLOCKED_LEAK, REDACTED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";
import {
  ASSIGNMENT_ANCHORS,
  ASSIGNMENT_OPENING,
  type Assignment,
  assignmentAt,
} from "./assignment.js";
import { isPlaceholder, isRandom } from "./randomness.js";
import { SERVICE_SECRETS } from "./services.js";

const LEAST_KEY = 16;
const KEY_ENTROPY = 3.2;
const LEAST_PASSWORD = 6;
const LEAST_VARIABLE = 8;
const OWNER = "Anyone who has it can act as its owner.";

const AWS_SECRET = /^[A-Za-z0-9/+]{40}$/;
const AZURE_ACCOUNT_KEY = /^[A-Za-z0-9+/]{86}==$/;
const AZURE_SHARED_KEY = /^[A-Za-z0-9+/]{43}=$/;

/** Secrets that are recognised by the name they are assigned to; the range is the value alone. */
export const ASSIGNMENT_RULES: readonly LeakRule[] = [
  {
    ...rule("aws_secret_key", "AWS secret access key", isAwsSecret),
    label: "AWS_SECRET",
    examples: {
      match: [
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        '"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"',
      ],
      clean: [
        "aws_secret_access_key = none",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE",
        "path_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      ],
    },
  },
  {
    ...rule("azure_account_key", "Azure account key", isAzureKey),
    examples: {
      match: [
        `AccountName=files;AccountKey=${"aB3/".repeat(21)}aB==;EndpointSuffix=core.windows.net`,
        `AZURE_STORAGE_KEY=${"aB3/".repeat(21)}aB==`,
        `SharedAccessKey=${"aB3/".repeat(10)}aB3=`,
      ],
      clean: [`AccountKey=${"aB3/".repeat(21)}==`, `hash=${"aB3/".repeat(21)}aB==`],
    },
  },
  {
    ...rule("service_secret", "secret of a service", isServiceSecret),
    actions: REDACTED_LEAK,
    severity: "high",
    examples: {
      match: SERVICE_SECRETS.flatMap(({ names, sample }) =>
        names.map((name) => `${name.toUpperCase()}_API_KEY=${sample}`),
      ),
      clean: SERVICE_SECRETS.flatMap(({ names: [name], sample }) => [
        `${name}_name=${sample}`,
        `${name}_api_key=${sample.slice(0, 6)}`,
      ]),
    },
  },
  {
    ...rule("assigned_key", "key, token or secret in an assignment", isKey),
    reason: "Its name marks it as a secret, and it looks like one; it may also be an example.",
    actions: REDACTED_LEAK,
    severity: "high",
    examples: {
      match: [
        "API_KEY=q8Zr2LmX7vTn4KpW",
        '"apiKey": "q8Zr2LmX7vTn4KpW"',
        "client_secret: 'q8Zr2LmX7vTn4KpW'",
        "ACCESS_TOKEN=q8Zr2LmX7vTn4KpW",
        "auth_token: q8Zr2LmX7vTn4KpW",
        'var accessToken string = "q8Zr2LmX7vTn4KpW"',
        'System.setProperty("ACCESS_TOKEN", "q8Zr2LmX7vTn4KpW")',
        "<accessToken>\n  q8Zr2LmX7vTn4KpW\n</accessToken>",
        '{"env": "API_KEY=q8Zr2LmX7vTn4KpW\\nMODE=on"}',
        "tool --api-key q8Zr2LmX7vTn4KpW --verbose",
      ],
      clean: [
        "API_KEY=$API_KEY",
        "API_KEY=your-api-key-2024-here",
        "apiKey: process.env.API_KEY2",
        "const token = readToken(source, index2)",
        'key: "q8Zr2LmX7vTn4KpW"',
        "max_tokens=4096",
      ],
    },
  },
  {
    ...rule("assigned_password", "password in an assignment", isPassword),
    reason: "Its name marks it as a password; it may also be an example.",
    label: "PASSWORD",
    actions: REDACTED_LEAK,
    severity: "high",
    examples: {
      match: [
        "password=hunter2",
        "DB_PASSWORD=s3cr3t!pw",
        '"password": "hunter2"',
        "pwd='hunter22'",
        "DB_PASSWORD=correcthorsebattery",
        "$config['password'] = 'hunter22';",
        "SMTP_PASS=hunter22",
        'auth: { user: "a", pass: "hunter22" }',
        "dbPass: 'hunter22'",
        "tool --password hunter22",
      ],
      clean: [
        "password=",
        "password=password",
        "password: string",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable in a file of settings
        "password=${DB_PASSWORD}",
        "password = form.password2",
        "password=<your-password>",
        "POSTGRES_PASSWORD=postgres",
        "the password policy",
        'renderPass: "shadow22"',
        "bypass=hunter22",
        "pass: 22/24",
        "['password', 'hunter22']",
      ],
    },
  },
];

/** Returns a rule for assignments to names of secrets. */
function rule(
  id: string,
  title: string,
  isSecret: (assignment: Assignment) => boolean,
): Omit<LeakRule, "examples"> {
  return {
    kind: "leak",
    id,
    title,
    reason: OWNER,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: {
      ...anchoredMatcher(ASSIGNMENT_ANCHORS, true, (text, at) => {
        const assignment = assignmentAt(text, at);
        return assignment !== undefined && isSecret(assignment) ? assignment.range : undefined;
      }),
      opening: ASSIGNMENT_OPENING,
    },
  };
}

function isAwsSecret({ name, value }: Assignment): boolean {
  return AWS_SECRET.test(value) && (name.includes("secret") || name.includes("aws"));
}

function isAzureKey({ name, value }: Assignment): boolean {
  return (
    (AZURE_ACCOUNT_KEY.test(value) && /key$/.test(name)) ||
    (AZURE_SHARED_KEY.test(value) && /sharedaccesskey$/.test(name))
  );
}

/** Identifiers and public keys have the same form in some services, but are not secrets. */
const NO_SECRET = /public|clientid|keyid|keyname|publishable/;

function isServiceSecret({ name, value }: Assignment): boolean {
  return (
    !NO_SECRET.test(name) &&
    SERVICE_SECRETS.some(
      (secret) =>
        secret.names.some((service) => name.includes(service)) && secret.value.test(value),
    )
  );
}

const KEY_NAME = namesOf("key");
const PASSWORD_NAME = namesOf("password");
/** `pass` behind the name of a service; `bypass` and `renderPass` name something else. */
const PASS_NAME =
  /^(?:.*(?:admin|amqp|api|app|auth|basic|bind|cert|database|db|email|ftp|http|imap|jdbc|key|ldap|login|mail|mongo|mysql|pg|postgres|proxy|rabbitmq|redis|root|service|smtp|ssh|store|sudo|user|wifi|wlan))?pass$/;

function namesOf(kind: "key" | "password"): RegExp {
  const words = SECRET_WORDS.filter(({ assigned }) => assigned === kind);
  return new RegExp(`(?:${words.map(({ word }) => word).join("|")})$`);
}

function isKey({ name, value }: Assignment): boolean {
  return (
    KEY_NAME.test(name) &&
    !NO_SECRET.test(name) &&
    value.length >= LEAST_KEY &&
    value.toLowerCase().replace(/[_.-]/g, "") !== name &&
    isRandom(value, KEY_ENTROPY)
  );
}

/** Words that are written where a password belongs, and default passwords. */
const DEFAULT_PASSWORD =
  /^(?:postgres|mysql|mariadb|mongo|redis|rabbitmq|root|admin|administrator|user|guest|default|none|null|true|false|undefined|required|optional|string|letmein|changeit|hunter|password\w*)$/i;

function isPassword({ name, value, form, isVariable }: Assignment): boolean {
  // The results of a test also pass: `pass: v2`, and messages about them are texts.
  const isPass =
    PASS_NAME.test(name) && (name !== "pass" || (form !== "bare" && /^[!-~]+$/.test(value)));
  if (!isPass && !PASSWORD_NAME.test(name)) return false;
  if (value.length < LEAST_PASSWORD || isPlaceholder(value)) return false;
  // What is assigned to a variable of the environment is a password, even when it is one word.
  if (isVariable && form === "setting" && value.length >= LEAST_VARIABLE) {
    return !DEFAULT_PASSWORD.test(value) && !/^[A-Z_]+$/.test(value);
  }
  return /[A-Za-z]/.test(value) && /[0-9!@#$%^&*?~]/.test(value) && !/^[A-Za-z]+[?!]$/.test(value);
}
