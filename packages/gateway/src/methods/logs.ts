import { open } from "node:fs/promises";
import { logMethods, type MethodConnection } from "@openclaw/protocol";
import { ConnectionNeededError, MethodRegistry } from "@openclaw/protocol/registry";
import type { Log } from "../state/log.js";
import { readLogLine } from "../state/log-line.js";

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
      const { level = "info", sinceCursor, limit = PAGE, follow: isFollowed } = parameters;
      if (isFollowed !== undefined) {
        if (connection === undefined) throw new ConnectionNeededError("logs.tail");
        followers.get(connection)?.();
        if (isFollowed) follow(connection, level);
      }
      const part = await readPart(logFile, sinceCursor);
      const wanted = part.lines.flatMap(({ text, end }) => {
        const line = readLogLine(text);
        if (line === undefined || LEVELS.indexOf(line.level) < LEVELS.indexOf(level)) return [];
        return [{ line, end }];
      });
      // The newest lines without a cursor, else the next ones.
      const page = sinceCursor === undefined ? wanted.slice(-limit) : wanted.slice(0, limit);
      const isCut = sinceCursor !== undefined && wanted.length > limit;
      const position = isCut ? (page.at(-1)?.end ?? part.end) : part.end;
      const lines = page.map(({ line }) => line);
      // Lines that a full disk kept out of the file are newer than those in it.
      const unwritten = isCut
        ? []
        : log.unwritten().filter((line) => LEVELS.indexOf(line.level) >= LEVELS.indexOf(level));
      return {
        lines: sinceCursor === undefined ? [...lines, ...unwritten].slice(-limit) : lines,
        cursor: `${part.file}-${position}`,
        isGap: part.isGap,
      };
    },
  });
}

/** Complete lines of a part of the log, each with the position of its end. */
interface LogPart {
  /** ID of the file, which a rotation changes. */
  readonly file: string;
  readonly lines: readonly { readonly text: string; readonly end: number }[];
  readonly end: number;
  readonly isGap: boolean;
}

async function readPart(path: string, cursor: string | undefined): Promise<LogPart> {
  await using file = await open(path, "r");
  const { ino, size } = await file.stat();
  const [id, offset = "0"] = cursor?.split("-") ?? [];
  const isSameFile = id === String(ino) && Number(offset) <= size;
  const isGap = cursor !== undefined && !isSameFile;
  const start = isSameFile ? Number(offset) : isGap ? 0 : Math.max(0, size - MAXIMUM_BYTES);
  const length = Math.min(size - start, MAXIMUM_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
  const lines: { text: string; end: number }[] = [];
  let from = 0;
  for (;;) {
    const until = buffer.subarray(0, bytesRead).indexOf(0x0a, from);
    if (until === -1) break;
    lines.push({ text: buffer.toString("utf8", from, until), end: start + until + 1 });
    from = until + 1;
  }
  return { file: String(ino), lines, end: lines.at(-1)?.end ?? start, isGap };
}
