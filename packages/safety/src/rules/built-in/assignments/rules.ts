import { SECRET_WORDS } from "../../../leaks/secret-name.js";
import { anchoredMatcher } from "../../detector.js";
import { BLOCKED_LEAK, NOTED_LEAK, REDACTED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";
import { ASSIGNMENT_ANCHORS, type Assignment, assignmentAt } from "./assignment.js";
import { isPlaceholder, isRandom } from "./randomness.js";
import { SERVICE_SECRETS } from "./services.js";

const LEAST_KEY = 16;
const KEY_ENTROPY = 3.2;
const LEAST_PASSWORD = 6;
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
    actions: NOTED_LEAK,
    severity: "medium",
    examples: {
      match: [
        "API_KEY=q8Zr2LmX7vTn4KpW",
        '"apiKey": "q8Zr2LmX7vTn4KpW"',
        "client_secret: 'q8Zr2LmX7vTn4KpW'",
        "ACCESS_TOKEN=q8Zr2LmX7vTn4KpW",
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
    actions: NOTED_LEAK,
    severity: "medium",
    examples: {
      match: [
        "password=hunter2",
        "DB_PASSWORD=s3cr3t!pw",
        '"password": "hunter2"',
        "pwd='p4ssw0rd'",
      ],
      clean: [
        "password=",
        "password=password",
        "password: string",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable in a file of settings
        "password=${DB_PASSWORD}",
        "password = form.password2",
        "password=<your-password>",
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
    detector: anchoredMatcher(ASSIGNMENT_ANCHORS, true, (text, at) => {
      const assignment = assignmentAt(text, at);
      return assignment !== undefined && isSecret(assignment) ? assignment.range : undefined;
    }),
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

const FORMS = SERVICE_SECRETS.map(({ names, form }) => ({
  names,
  form: new RegExp(`^(?:${form})$`, "i"),
}));

/** Identifiers and public keys have the same form in some services, but are not secrets. */
const NO_SECRET = /public|clientid|keyid|keyname|publishable/;

function isServiceSecret({ name, value }: Assignment): boolean {
  return (
    !NO_SECRET.test(name) &&
    FORMS.some(
      ({ names, form }) => names.some((service) => name.includes(service)) && form.test(value),
    )
  );
}

const KEY_NAME = namesOf("key");
const PASSWORD_NAME = namesOf("password");

function namesOf(kind: "key" | "password"): RegExp {
  const words = SECRET_WORDS.filter(({ assigned }) => assigned === kind);
  return new RegExp(`(?:${words.map(({ word }) => word).join("|")})$`);
}

function isKey({ name, value, form }: Assignment): boolean {
  return (
    KEY_NAME.test(name) &&
    !NO_SECRET.test(name) &&
    form !== "bare" &&
    value.length >= LEAST_KEY &&
    isRandom(value, KEY_ENTROPY)
  );
}

function isPassword({ name, value }: Assignment): boolean {
  return (
    PASSWORD_NAME.test(name) &&
    value.length >= LEAST_PASSWORD &&
    /[0-9]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !isPlaceholder(value)
  );
}
