import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import { loadOperatorConfiguration } from "../configuration.js";
import { confirmed } from "../shell/confirmation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { askHidden } from "../shell/hidden-input.js";
import { printRows, timeOf } from "../shell/table.js";
import { UsageError } from "../shell/usage-error.js";
import { withSecretMethods } from "./methods.js";
import { secretValue } from "./value.js";

/** Option of every command. */
interface Format {
  json?: boolean;
}

/**
 * Runs `openclaw secrets set`. The value is not an argument, because other users see arguments.
 * @param name - name of the secret
 * @param options - variable to take the value of, expiry and format
 * @param context - terminal and environment
 * @throws UsageError, SecretInvalidError, SecretKeyError
 */
export async function setSecretCommand(
  name: string,
  options: Format & { fromEnv?: string; expires?: string },
  context: CommandContext,
): Promise<ExitCode> {
  assertName(name);
  const expiresAt = options.expires === undefined ? undefined : parseTime(options.expires);
  const value = await secretValue(name, options.fromEnv, context);
  const { created } = await withSecretMethods(context, (call) =>
    call("secrets.set", { name, value, ...defined({ expiresAt }) }),
  );
  const text = `${created ? "Stored" : "Replaced"} ${name}. Use it in the configuration as \${secret:${name}}.`;
  context.terminal.print(options.json === true ? JSON.stringify({ name, created }) : text);
  return EXIT.ok;
}

/** Rejects a name with a value behind it before the value is asked for, and does not repeat the value. */
function assertName(argument: string): void {
  const [name = "", ...value] = argument.split("=");
  if (value.length === 0) return;
  throw new UsageError(
    `the value of a secret is not an argument, because other users see arguments; run \`openclaw secrets set ${name}\` and type the value, or pipe it in`,
  );
}

/**
 * Runs `openclaw secrets list`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function listSecretsCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { secrets } = await withSecretMethods(context, (call) => call("secrets.list", {}), "reads");
  if (json) {
    terminal.print(JSON.stringify({ secrets }));
  } else if (secrets.length === 0) {
    terminal.print("No secrets are stored. Store one with `openclaw secrets set NAME`.");
  } else {
    const rows = secrets.map((secret) => [
      secret.name,
      timeOf(secret.updatedAt),
      secret.expiresAt === undefined ? "never" : timeOf(secret.expiresAt),
      secret.isExpired ? "expired" : (secret.lastUsedBy ?? "not used"),
    ]);
    printRows(rows, terminal, { titles: ["NAME", "CHANGED", "EXPIRES", "LAST USED BY"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw secrets uses`.
 * @param name - name of one secret; undefined for all
 * @param options - maximum number of uses, and format
 * @param context - terminal and environment
 */
export async function secretUsesCommand(
  name: string | undefined,
  { limit, json = false }: Format & { limit?: number },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const { uses } = await withSecretMethods(
    context,
    (call) => call("secrets.uses", defined({ name, limit })),
    "reads",
  );
  if (json) {
    terminal.print(JSON.stringify({ uses }));
  } else if (uses.length === 0) {
    terminal.print(name === undefined ? "No secret was used yet." : `${name} was not used yet.`);
  } else {
    const rows = uses.map((use) => [timeOf(use.at), use.name, use.by, use.actor]);
    printRows(rows, terminal, { titles: ["USED", "NAME", "BY", "ACTOR"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw secrets delete`. A secret that the configuration refers to is kept without `--yes`, because the
 * next start would fail.
 * @param name - name of the secret
 * @param options - consent and format
 * @param context - terminal and environment
 * @throws SecretNotFoundError
 */
export async function deleteSecretCommand(
  name: string,
  { yes = false, json = false }: Format & { yes?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, environment } = context;
  const { secretReferences } = await import("@openclaw/gateway/configuration");
  const { document } = await loadOperatorConfiguration(environment);
  const [used] = secretReferences(document).get(name) ?? [];
  if (used !== undefined && !yes) {
    const key = used.join(".");
    const text = `${name} is kept: ${key} refers to it, and the gateway would not start without it. Change ${key} first, or add --yes.`;
    if (json) terminal.print(JSON.stringify({ name, deleted: false, usedBy: key }));
    else terminal.note(`openclaw: ${text}`);
    return EXIT.negative;
  }
  const question = `Delete the secret ${name}?`;
  if (!(await confirmed(question, { yes, json }, terminal))) return EXIT.negative;
  await withSecretMethods(context, (call) => call("secrets.delete", { name }));
  terminal.print(json ? JSON.stringify({ name, deleted: true }) : `Deleted ${name}.`);
  return EXIT.ok;
}

/**
 * Runs `openclaw secrets rotate`.
 * @param options - format
 * @param context - terminal and environment
 * @throws SecretKeyError
 */
export async function rotateSecretsCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const outcome = await withSecretMethods(context, (call) => call("secrets.rotate", {}));
  const { secrets, keyNote } = outcome;
  const count = `${secrets} ${secrets === 1 ? "secret is" : "secrets are"}`;
  const text = `${count} encrypted with a new key: ${keyNote}. Backups of the database need the old key.`;
  context.terminal.print(json ? JSON.stringify(outcome) : text);
  return EXIT.ok;
}

/**
 * Runs `openclaw secrets export`.
 * @param file - path that the operator gave
 * @param options - format
 * @param context - terminal and environment
 * @throws UsageError when the file exists; SecretInvalidError, SecretKeyError
 */
export async function exportSecretsCommand(
  file: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const passphrase = await askPassphrase(context, true);
  const { text } = await withSecretMethods(context, (call) =>
    call("secrets.export", { passphrase }),
  );
  try {
    writeFileSync(resolve(file), text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UsageError(`${file} exists; choose another path`, { cause: error });
  }
  const note = `Wrote ${file}. Without the passphrase it cannot be read.`;
  context.terminal.print(json ? JSON.stringify({ file }) : note);
  return EXIT.ok;
}

/**
 * Runs `openclaw secrets import`.
 * @param file - path that the operator gave
 * @param options - format
 * @param context - terminal and environment
 * @throws SecretInvalidError, SecretKeyError
 */
export async function importSecretsCommand(
  file: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const text = readFileSync(resolve(file), "utf8");
  const passphrase = await askPassphrase(context, false);
  const { names } = await withSecretMethods(context, (call) =>
    call("secrets.import", { text, passphrase }),
  );
  context.terminal.print(json ? JSON.stringify({ names }) : `Stored ${names.join(", ")}.`);
  return EXIT.ok;
}

async function askPassphrase(
  { terminal, environment }: CommandContext,
  isNew: boolean,
): Promise<string> {
  const given = environment.OPENCLAW_SECRETS_PASSPHRASE;
  if (given !== undefined && given !== "") return given;
  if (!terminal.isInteractive) {
    throw new UsageError("set the passphrase in the variable OPENCLAW_SECRETS_PASSPHRASE");
  }
  const passphrase = await askHidden("Passphrase (at least 12 characters, not shown): ");
  if (isNew && (await askHidden("Again: ")) !== passphrase) {
    throw new UsageError("the two passphrases differ; run the command again");
  }
  return passphrase;
}

function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isFinite(time) && time > Date.now()) return time;
  throw new UsageError(`"${text}" is not a time in the future; write for example 2027-01-31`);
}
