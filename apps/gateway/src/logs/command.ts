import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { stateFolderAt } from "@openclaw/gateway";
import { createLogMethods } from "@openclaw/gateway/upkeep";
import { visible } from "@openclaw/messaging";
import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import { stopSignal } from "../host/stop-signal.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { timeOf } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
import { LogMissingError } from "./missing-error.js";

type Line = GatewayMethodResult<"logs.tail">["lines"][number];

/** Options of `openclaw logs`. */
export interface LogsOptions {
  readonly follow?: boolean;
  readonly lines: number;
  readonly level: NonNullable<GatewayMethodParameters<"logs.tail">["level"]>;
  readonly subsystem?: string;
  /** Only lines about this channel. */
  readonly channel?: string;
  readonly json?: boolean;
}

const POLL_MS = 250;
/** Number of lines that one call returns at most. */
const PAGE = 1000;

/**
 * Runs `openclaw logs`: prints the log in the state folder, also while no gateway runs.
 * @param options - number, level and subsystem of the lines, and format
 * @param context - terminal and environment
 * @throws LogMissingError when no gateway has written a log
 */
export async function logsCommand(
  { follow = false, lines, level, subsystem, channel, json = false }: LogsOptions,
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const { logFile } = stateFolderAt(stateDirOf(environment));
  if (!existsSync(logFile)) throw new LogMissingError(logFile);
  // Later lines are read from the file, so there is nothing to be notified of.
  const log = { onLine: () => () => {}, unwritten: () => [] };
  const methods = createLogMethods({ logFile, log });
  const show = (shown: readonly Line[]) => {
    for (const line of shown) {
      if (json) terminal.print(JSON.stringify(line));
      else terminal.print(textOf(line, terminal));
    }
  };
  const isWanted = ({ fields }: Line) =>
    (subsystem === undefined || fields.subsystem === subsystem) &&
    (channel === undefined || fields.channel === channel);

  const newest = await methods.call("logs.tail", { level, limit: PAGE });
  show(newest.lines.filter(isWanted).slice(-lines));
  if (!follow) return EXIT.ok;
  const signal = stopSignal();
  let sinceCursor = newest.cursor;
  while (!signal.aborted) {
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    // Between two files of a rotation there is none for a moment.
    if (!existsSync(logFile)) continue;
    const next = await methods.call("logs.tail", { level, sinceCursor, limit: PAGE });
    if (next.isGap) terminal.note("openclaw: the log was rotated; some lines may be missing");
    show(next.lines.filter(isWanted));
    sinceCursor = next.cursor;
  }
  return EXIT.interrupted;
}

function textOf({ time, level, msg, fields }: Line, { colors }: Terminal): string {
  const { subsystem, ...others } = fields;
  const colour = { warn: colors.yellow, error: colors.red, debug: colors.dim }[level] ?? String;
  const values = Object.entries(others).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const place = subsystem === undefined ? "" : `${String(subsystem)}: `;
  const line = `${place}${msg}`;
  const more = values.length === 0 ? "" : ` ${colors.dim(visible(values.join(" ")))}`;
  return `${colors.dim(timeOf(time))} ${colour(level.padEnd(5))} ${visible(line)}${more}`;
}
