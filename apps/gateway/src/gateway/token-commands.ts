import { addToken, currentHash, listTokens, removeToken } from "@openclaw/configuration";
import type { MethodScope } from "@openclaw/protocol";
import { ChangeInGateway, printOutcome } from "../configuration/change-outcome.js";
import { configurationFileOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
import { UsageError } from "../shell/usage-error.js";

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Runs `openclaw gateway token create`: creates a token, and prints it once.
 * @param options - name, scopes, expiry and format
 * @param context - terminal and environment
 */
export async function createTokenCommand(
  options: { name: string; scope: MethodScope[]; expires?: string; json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const { name, scope: scopes, expires, json = false } = options;
  const file = configurationFileOf(environment);
  if ((await listTokens(file)).some((token) => token.name === name)) {
    throw new UsageError(
      `a token named "${name}" exists; choose another name, or revoke it with \`openclaw gateway token revoke ${name}\``,
    );
  }
  const expiresAt = expires === undefined ? undefined : expiryOf(expires, Date.now());
  const inGateway = await ChangeInGateway.of(await currentHash(file, { environment }), environment);
  const { token, entry } = await addToken(file, { name, scopes, expiresAt }, inGateway.options);
  if (json) {
    terminal.print(JSON.stringify({ token, entry, file }));
  } else {
    terminal.print(token);
    terminal.note(`The token is shown only now; ${file} contains its hash.`);
    noteEffect(inGateway, terminal, "accepts the token");
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw gateway token list`: prints the named tokens, without their hashes.
 * @param options - format
 * @param context - terminal and environment
 */
export async function listTokensCommand(
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const tokens = await listTokens(configurationFileOf(environment));
  const now = Date.now();
  const listed = tokens.map(({ name, scopes, expiresAt }) => ({
    ...{ name, scopes, expiresAt },
    isExpired: expiresAt !== undefined && Date.parse(expiresAt) <= now,
  }));
  if (json) {
    terminal.print(JSON.stringify({ tokens: listed }));
  } else if (listed.length === 0) {
    terminal.print("No named tokens.");
  } else {
    const rows = listed.map(({ name, scopes, expiresAt = "never", isExpired }) => [
      ...[name, isExpired ? `${expiresAt} (expired)` : expiresAt, scopes.join(" ")],
    ]);
    printRows(rows, terminal, { titles: ["name", "expires", "scopes"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw gateway token revoke`: removes a token from the configuration.
 * @param name - name of the token
 * @param options - format
 * @param context - terminal and environment
 */
export async function revokeTokenCommand(
  name: string,
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const file = configurationFileOf(environment);
  const inGateway = await ChangeInGateway.of(await currentHash(file, { environment }), environment);
  const revoked = await removeToken(file, name, inGateway.options);
  if (json) {
    terminal.print(JSON.stringify({ name, revoked }));
  } else if (revoked) {
    terminal.print(`The token "${name}" is revoked.`);
    noteEffect(inGateway, terminal, "rejects the token");
  } else {
    terminal.note(
      `openclaw: token "${name}" not found; \`openclaw gateway token list\` lists them`,
    );
  }
  return revoked ? EXIT.ok : EXIT.notFound;
}

function noteEffect({ outcome }: ChangeInGateway, terminal: Terminal, effect: string): void {
  if (outcome?.gateway !== undefined) terminal.note(`The running gateway ${effect} from now on.`);
  printOutcome(outcome, terminal);
}

/** Reads a span from now, such as `90d`, or a date. */
function expiryOf(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const isUnit = (name: string | undefined): name is keyof typeof UNITS =>
    name !== undefined && Object.hasOwn(UNITS, name);
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/.test(text);
  const at = isUnit(unit) ? now + Number(count) * UNITS[unit] : isDate ? Date.parse(text) : NaN;
  if (at > now) return at;
  throw new UsageError(
    `--expires must be a time in the future such as 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z, found "${text}"`,
  );
}
