import { defined } from "@openclaw/foundation";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";

/** Option of every command. */
interface Format {
  json?: boolean;
}

/**
 * Runs `openclaw pairing list`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function listPairingCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const lists = await withGatewayMethods(context, (call) => call("pairing.list", {}), "reads");
  const { pending, admitted } = lists;
  if (json) {
    terminal.print(JSON.stringify(lists));
    return EXIT.ok;
  }
  if (pending.length === 0) terminal.print("No one waits to be admitted.");
  else {
    const rows = pending.map((each) => [
      each.code,
      each.channel,
      personOf(each),
      timeOf(each.expiresAt),
    ]);
    printRows(rows, terminal, { titles: ["CODE", "CHANNEL", "SENDER", "VALID UNTIL"] });
    terminal.print("Admit one with `openclaw pairing approve <channel> <code>`.");
  }
  if (admitted.length > 0) {
    terminal.print("");
    const rows = admitted.map((each) => [
      each.channel,
      each.accountId,
      personOf(each),
      timeOf(each.addedAt),
    ]);
    printRows(rows, terminal, { titles: ["CHANNEL", "ACCOUNT", "ADMITTED", "SINCE"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw pairing approve`.
 * @param channel - channel of the code
 * @param code - code that the sender was given
 * @param options - format
 * @param context - terminal and environment
 * @throws PairingCodeError, PairingLockedError
 */
export async function approvePairingCommand(
  channel: string,
  code: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const sender = await withGatewayMethods(context, (call) =>
    call("pairing.approve", { channel, code }),
  );
  const text = `Admitted ${personOf(sender)} to ${channel}.`;
  context.terminal.print(json ? JSON.stringify(sender) : text);
  return EXIT.ok;
}

/**
 * Runs `openclaw pairing revoke`.
 * @param options - account and format
 * @param context - terminal and environment
 * @throws PairedSenderNotFoundError
 */
export async function revokePairingCommand(
  channel: string,
  senderId: string,
  { account: accountId, json = false }: Format & { account?: string },
  context: CommandContext,
): Promise<ExitCode> {
  const removed = await withGatewayMethods(context, (call) =>
    call("pairing.revoke", { channel, senderId, ...defined({ accountId }) }),
  );
  const text = `${senderId} is no longer admitted to ${channel}.`;
  context.terminal.print(json ? JSON.stringify(removed) : text);
  return EXIT.ok;
}

function personOf({ senderId, userName }: { senderId: string; userName?: string }): string {
  return userName === undefined ? senderId : `${userName} (${senderId})`;
}
