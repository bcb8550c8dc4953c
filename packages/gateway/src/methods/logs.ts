import { open } from "node:fs/promises";
import { logMethods, type MethodConnection } from "@openclaw/protocol";
import {
  ConnectionNeededError,
  InvalidRequestError,
  MethodRegistry,
} from "@openclaw/protocol/registry";
import type { Log } from "../state/log.js";
import { readLogLine } from "../state/log-line.js";
import type { LogLine } from "../state/recent-lines.js";

const PAGE = 200;
/** Size of the part of the file that one call reads, in bytes. */
const MAXIMUM_BYTES = 4 * 1024 * 1024;
const LEVELS = ["debug", "info", "warn", "error"];

/** Dependencies of {@link createLogMethods}. */
export interface LogMethodDependencies {
  /** Path of the log file. */
  readonly logFile: string;
  /** Log whose later lines a connection can follow. */
  readonly log: Pick<Log, "onLine" | "unwritten">;
}

/**
 * Creates the log methods (GW-029).
 * @param dependencies - location of the log, and the log
 */
export function createLogMethods({
  logFile,
  log,
}: LogMethodDependencies): MethodRegistry<typeof logMethods> {
  /** Ends of the connections that follow the log. */
  const followers = new WeakMap<MethodConnection, () => void>();

  const follow = (connection: MethodConnection, level: string) => {
    const minimum = LEVELS.indexOf(level);
    const stop = log.onLine((line) => {
      if (LEVELS.indexOf(line.level) >= minimum) connection.notify("log", line);
    });
    if (!followers.has(connection)) connection.onClose(() => followers.get(connection)?.());
    followers.set(connection, stop);
  };

  return MethodRegistry.of(logMethods, {
    "logs.tail": async (parameters, { connection }) => {
      const { level = "info", sinceCursor, beforeCursor, limit = PAGE } = parameters;
      if (sinceCursor !== undefined && beforeCursor !== undefined) {
        const message = "must not be given together with /sinceCursor";
        throw new InvalidRequestError("logs.tail", [{ path: "/beforeCursor", message }]);
      }
      if (parameters.follow !== undefined) {
        if (connection === undefined) throw new ConnectionNeededError("logs.tail");
        followers.get(connection)?.();
        if (parameters.follow) follow(connection, level);
      }
      const part = await readPart(logFile, sinceCursor, beforeCursor);
      const isWanted = (line: LogLine) => LEVELS.indexOf(line.level) >= LEVELS.indexOf(level);
      const wanted = part.lines.flatMap(({ text, start, end }) => {
        const line = readLogLine(text);
        return line === undefined || !isWanted(line) ? [] : [{ line, start, end }];
      });
      // The newest lines, or those after a cursor.
      const page = sinceCursor === undefined ? wanted.slice(-limit) : wanted.slice(0, limit);
      const isCut = sinceCursor !== undefined && wanted.length > limit;
      const position = isCut ? (page.at(-1)?.end ?? part.end) : part.end;
      const begin = wanted.length > limit ? (page[0]?.start ?? part.start) : part.start;
      const lines = page.map(({ line }) => line);
      // Lines that a full disk kept out of the file are newer than those in it.
      const unwritten =
        sinceCursor === undefined && beforeCursor === undefined
          ? log.unwritten().filter(isWanted)
          : [];
      return {
        lines: [...lines, ...unwritten].slice(-limit),
        cursor: `${part.file}-${position}`,
        isGap: part.isGap,
        ...(sinceCursor === undefined && begin > 0
          ? { earlierCursor: `${part.file}-${begin}` }
          : {}),
      };
    },
  });
}

/** Complete lines of a part of the log, each with the position of its beginning and of its end. */
interface LogPart {
  /** ID of the file, which a rotation changes. */
  readonly file: string;
  readonly lines: readonly {
    readonly text: string;
    readonly start: number;
    readonly end: number;
  }[];
  /** Beginning of the first complete line. */
  readonly start: number;
  readonly end: number;
  readonly isGap: boolean;
}

async function readPart(
  path: string,
  since: string | undefined,
  before: string | undefined,
): Promise<LogPart> {
  await using file = await open(path, "r");
  const { ino, size } = await file.stat();
  const given = since ?? before;
  const [id, offset = "0"] = given?.split("-") ?? [];
  const isSameFile = id === String(ino) && Number(offset) <= size;
  const isGap = given !== undefined && !isSameFile;
  // What is before a position in another file is not in this one.
  const stop = before === undefined ? size : isSameFile ? Number(offset) : 0;
  const isForward = since !== undefined;
  const from = isForward ? (isSameFile ? Number(offset) : 0) : Math.max(0, stop - MAXIMUM_BYTES);
  const length = Math.min(stop - from, MAXIMUM_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  const bytes = buffer.subarray(0, bytesRead);
  // A part of the file may begin within a line, whose rest belongs to the part before.
  let next = isForward || from === 0 ? 0 : bytes.indexOf(0x0a) + 1;
  const start = from + next;
  const lines: { text: string; start: number; end: number }[] = [];
  for (;;) {
    const until = bytes.indexOf(0x0a, next);
    if (until === -1) break;
    const text = bytes.toString("utf8", next, until);
    lines.push({ text, start: from + next, end: from + until + 1 });
    next = until + 1;
  }
  return { file: String(ino), lines, start, end: lines.at(-1)?.end ?? start, isGap };
}
